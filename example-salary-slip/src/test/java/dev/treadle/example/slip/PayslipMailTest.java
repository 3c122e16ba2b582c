package dev.treadle.example.slip;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PayslipMailTest {

    private static final Instant NOW = Instant.parse("2026-03-25T09:00:00Z");

    private final SalarySlip slip = SampleSlips.named("Łukasz O’Brien & Søn");

    @TempDir
    Path folder;

    @Test
    void the_message_on_the_wire_has_the_pdf_attached() throws Exception {
        Path pdf = new SlipFiles(folder, new SlipRenderer()).write(slip);
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        new PayslipMail().message(slip, pdf, NOW).writeTo(wire);

        MimeMessage read = new MimeMessage(null, new ByteArrayInputStream(wire.toByteArray()));

        assertEquals("Your salary slip for March 2026", read.getSubject());
        assertEquals(Date.from(NOW), read.getSentDate());
        InternetAddress to = (InternetAddress) read.getAllRecipients()[0];
        assertEquals("vw-00007@veldhaven.example", to.getAddress());
        assertEquals("Łukasz O’Brien & Søn", to.getPersonal());
        MimeMultipart parts = (MimeMultipart) read.getContent();
        assertTrue(parts.getBodyPart(0).getContent().toString().contains("Dear Łukasz O’Brien & Søn,"));
        var attachment = parts.getBodyPart(1);
        assertTrue(attachment.isMimeType("application/pdf"));
        assertEquals("VW-00007-2026-03.pdf", attachment.getFileName());
        assertArrayEquals(Files.readAllBytes(pdf), attachment.getInputStream().readAllBytes());
    }

    @Test
    void the_message_id_is_the_slip_and_names_no_machine() throws Exception {
        Path pdf = Files.writeString(folder.resolve("slip.pdf"), "pdf");

        assertEquals(
                "<VW-00007-2026-03@veldhaven.example>",
                new PayslipMail().message(slip, pdf, NOW).getMessageID());
    }

    @Test
    void sending_returns_the_size_of_the_message_and_hands_it_over_once() throws Exception {
        Path pdf = Files.writeString(folder.resolve("slip.pdf"), "x".repeat(30_000));
        List<MimeMessage> delivered = new ArrayList<>();

        long size = new PayslipMail(delivered::add).send(slip, pdf, NOW);

        assertEquals(1, delivered.size());
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        delivered.get(0).writeTo(wire);
        assertEquals(wire.size(), size);
        assertTrue(size > 40_000, "base64 of 30,000 bytes is more, was " + size);
    }

    @Test
    void delivery_is_off_by_default_and_the_size_is_known_all_the_same() throws Exception {
        Path pdf = Files.writeString(folder.resolve("slip.pdf"), "x".repeat(3_000));

        assertTrue(new PayslipMail().send(slip, pdf, NOW) > 4_000);
    }
}
