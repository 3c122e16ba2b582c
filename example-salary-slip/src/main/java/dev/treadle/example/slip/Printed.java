package dev.treadle.example.slip;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.format.TextStyle;
import java.util.Locale;

/** How numbers and dates are written on a slip: in English, whatever the machine is set to. */
final class Printed {

    private Printed() {}

    /** Two decimals, a comma between thousands and a true minus sign: {@code 3,412.07}, {@code −25.10}. */
    static String number(BigDecimal number) {
        return String.format(Locale.ENGLISH, "%,.2f", number).replace('-', '\u2212');
    }

    static String date(LocalDate date) {
        return date.getDayOfMonth() + " " + month(YearMonth.from(date));
    }

    static String month(YearMonth month) {
        return month.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH) + " " + month.getYear();
    }
}
