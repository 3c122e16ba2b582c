package dev.treadle.example.slip;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The build step that turns the Word template into what the running example reads: XSL-FO and two small fonts. */
final class TemplateMain {

    private static final String FONTS = "/fonts/Arimo/static/";

    private TemplateMain() {}

    /** Takes the folder of compiled classes; what it writes there is made again whenever the project is built. */
    public static void main(String[] args) throws IOException {
        Path classes = Path.of(args[0]);
        Path folder = classes.resolve(TemplateMain.class.getPackageName().replace('.', '/'));
        var word = WordTemplate.load();
        Files.writeString(folder.resolve(SavedFo.RESOURCE), WordTemplate.toFo(word));
        for (var picture : WordTemplate.pictures(word).entrySet()) {
            Files.write(folder.resolve(picture.getKey()), picture.getValue());
        }
        FontSubset.write(FONTS + "Arimo-Regular.ttf", folder.resolve(SlipFop.REGULAR_FONT));
        FontSubset.write(FONTS + "Arimo-Bold.ttf", folder.resolve(SlipFop.BOLD_FONT));
    }
}
