package dev.treadle.example.slip;

import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.Properties;

/**
 * Sends salary slips by mail, as a message with the PDF attached.
 *
 * <p>Delivery is {@linkplain Delivery#OFF off} unless another one is given: the message is built in full and its size
 * is known, but nothing leaves. Safe for many threads if its delivery is.
 */
final class PayslipMail {

    /** Takes a finished message to where it goes. */
    @FunctionalInterface
    interface Delivery {

        /** Nothing leaves. */
        Delivery OFF = message -> {};

        void deliver(MimeMessage message) throws MessagingException;
    }

    private final Session session = Session.getInstance(new Properties());
    private final Delivery delivery;

    PayslipMail() {
        this(Delivery.OFF);
    }

    PayslipMail(Delivery delivery) {
        this.delivery = delivery;
    }

    /**
     * Builds the message, hands it to the delivery and returns its size in bytes.
     *
     * @throws IOException when the PDF cannot be read
     * @throws MessagingException when the message cannot be built or delivered
     */
    long send(SalarySlip slip, Path pdf, Instant now) throws IOException, MessagingException {
        MimeMessage message = message(slip, pdf, now);
        CountedBytes size = new CountedBytes();
        message.writeTo(size);
        delivery.deliver(message);
        return size.count;
    }

    /** The message about this slip. Its id depends on the slip alone, so a receiver can recognise a repeated message. */
    MimeMessage message(SalarySlip slip, Path pdf, Instant now) throws IOException, MessagingException {
        String month = Printed.month(slip.period());
        MimeMessage message = new Message(session, "<" + slip.reference() + "@" + Company.DOMAIN + ">");
        message.setFrom(new InternetAddress(Company.PAYROLL, Company.NAME, StandardCharsets.UTF_8.name()));
        message.setRecipient(
                MimeMessage.RecipientType.TO,
                new InternetAddress(slip.employee().email(), slip.employee().name(), StandardCharsets.UTF_8.name()));
        message.setSubject("Your salary slip for " + month, StandardCharsets.UTF_8.name());
        message.setSentDate(Date.from(now));

        MimeBodyPart text = new MimeBodyPart();
        text.setText(
                """
                Dear %s,

                your salary slip for %s is attached. The net amount is paid on %s.

                %s, payroll
                """.formatted(slip.employee().name(), month, Printed.date(slip.payDate()), Company.NAME),
                StandardCharsets.UTF_8.name());
        MimeBodyPart attachment = new MimeBodyPart();
        attachment.attachFile(pdf.toFile(), "application/pdf", "base64");
        attachment.setFileName(slip.reference() + ".pdf");

        message.setContent(new MimeMultipart(text, attachment));
        message.saveChanges();
        return message;
    }

    /** A message that keeps the id it was given instead of one with this machine's name in it. */
    private static final class Message extends MimeMessage {

        private final String id;

        Message(Session session, String id) {
            super(session);
            this.id = id;
        }

        @Override
        protected void updateMessageID() throws MessagingException {
            setHeader("Message-ID", id);
        }
    }

    /** Counts what is written and keeps none of it. */
    private static final class CountedBytes extends OutputStream {

        private long count;

        @Override
        public void write(int b) {
            count++;
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            count += length;
        }
    }
}
