package dev.treadle.dashboard.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The files of the page: a fixed list, read once. A path is looked up in it and never made into a file's name, so that
 * nothing else of the jar can be asked for.
 */
public final class Files {
    private static final Map<String, String> TYPES = Map.of(
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml");

    private final Map<String, File> files = new LinkedHashMap<>();
    private final String version;

    /** Reads these files from beside a class. */
    public Files(Class<?> beside, String folder, Iterable<String> names) {
        MessageDigest digest = sha256();
        for (String name : names) {
            byte[] content = read(beside, folder + "/" + name);
            digest.update(content);
            String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
            if (type == null) {
                throw new IllegalArgumentException("The page has a file of a kind that is not served: " + name);
            }
            files.put(name, new File(type, content, zipped(content)));
        }
        version = HexFormat.of().formatHex(digest.digest(), 0, 6);
    }

    /** Changes when any file does; part of their paths, so that they may be kept for ever. */
    public String version() {
        return version;
    }

    /** All names. */
    public Iterable<String> names() {
        return files.keySet();
    }

    /** How much the page weighs on the wire, in bytes. */
    public int bytesZipped() {
        return files.values().stream().mapToInt(file -> file.zipped.length).sum();
    }

    /** A file; null if it is not in the list. */
    public @Nullable Response file(String name, Request request) {
        File file = files.get(name);
        if (file == null) {
            return null;
        }
        String accepts = request.header("Accept-Encoding");
        boolean zip = accepts != null && accepts.contains("gzip");
        Response response = Response.of(200, file.type, zip ? file.zipped : file.content)
                .with("Cache-Control", "public, max-age=31536000, immutable")
                .with("Vary", "Accept-Encoding");
        return zip ? response.with("Content-Encoding", "gzip") : response;
    }

    private static byte[] read(Class<?> beside, String name) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("The jar of the dashboard lacks " + name + ".");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] zipped(byte[] content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform must have SHA-256", e);
        }
    }

    private record File(String type, byte[] content, byte[] zipped) {}
}
