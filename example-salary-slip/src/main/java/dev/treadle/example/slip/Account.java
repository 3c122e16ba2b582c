package dev.treadle.example.slip;

import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A bank account written like an IBAN, in the country {@code XX}, which no bank is in.
 *
 * <p>The two check digits follow ISO 13616, so that a mistyped account is found before money is sent.
 *
 * @param value without spaces, upper case
 */
record Account(String value) {

    private static final String COUNTRY_AND_BANK = "XXDEMO";
    private static final Pattern SHAPE = Pattern.compile("[A-Z]{2}[0-9]{2}[A-Z0-9]{8,30}");
    private static final BigInteger NINETY_SEVEN = BigInteger.valueOf(97);

    Account {
        value = value.replace(" ", "").toUpperCase(Locale.ROOT);
    }

    /** The account with this number at the demo bank, check digits included; the number is 0 to 9999999999. */
    static Account atDemoBank(long number) {
        if (number < 0 || number > 9_999_999_999L) {
            throw new IllegalArgumentException("account number must be 0..9999999999, was " + number);
        }
        String bank = COUNTRY_AND_BANK.substring(2) + String.format(Locale.ROOT, "%010d", number);
        String country = COUNTRY_AND_BANK.substring(0, 2);
        int check = 98 - remainder(bank + country + "00");
        return new Account(country + String.format(Locale.ROOT, "%02d", check) + bank);
    }

    /** Whether the shape and the check digits are right. */
    boolean isValid() {
        return SHAPE.matcher(value).matches() && remainder(value.substring(4) + value.substring(0, 4)) == 1;
    }

    /** The account in groups of four, as it is printed. */
    String printed() {
        return value.replaceAll("(.{4})(?!$)", "$1 ");
    }

    private static int remainder(String text) {
        StringBuilder digits = new StringBuilder();
        text.chars().forEach(c -> digits.append(Character.digit(c, 36)));
        return new BigInteger(digits.toString()).mod(NINETY_SEVEN).intValue();
    }
}
