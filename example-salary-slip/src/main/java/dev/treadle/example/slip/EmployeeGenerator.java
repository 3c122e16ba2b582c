package dev.treadle.example.slip;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Random;

/**
 * Makes up the same employees every time.
 *
 * <p>The id is the seed of {@link Random}, whose numbers are part of its specification.
 */
final class EmployeeGenerator {

    private static final long SPREAD = 0x9E3779B97F4A7C15L;
    private static final LocalDate FIRST_HIRED = LocalDate.of(2004, 1, 1);
    private static final int HIRING_MONTHS = 250;

    private static final List<String> FIRST_NAMES = List.of(
            "Zoë",
            "Łukasz",
            "Søren",
            "Begoña",
            "André",
            "Jürgen",
            "Chloé",
            "Åsa",
            "Małgorzata",
            "Iñigo",
            "Anaïs",
            "Björn",
            "Françoise",
            "Håkon",
            "Željka",
            "Otto",
            "Noor",
            "Marek",
            "Ines",
            "Tomás",
            "Grete",
            "Émile",
            "Lotte",
            "Ștefan",
            "Pål",
            "Agnès",
            "Dénes",
            "Ewa",
            "Luís",
            "Sigrún",
            "Willem",
            "Hélène",
            "Jiří",
            "Maja",
            "Ödön",
            "Carmen",
            "Aurélien",
            "Þóra",
            "Rasmus",
            "Gülşen");

    private static final List<String> LAST_NAMES = List.of(
            "Müller",
            "Kowalczyk",
            "Sørensen",
            "Núñez",
            "Lefèvre",
            "Brandstätter",
            "Wójcik",
            "Ångström",
            "Peña",
            "De Smet",
            "Gröning",
            "Dąbrowska",
            "Østergaard",
            "Ibáñez",
            "Vandenbossche",
            "Kraśnicki",
            "Björkqvist",
            "Castaño",
            "Hübner",
            "Lund",
            "Zieliński",
            "Þorsteinsson",
            "Château",
            "Groß",
            "Jankowski",
            "Håkansson",
            "Đorđević",
            "Muñoz",
            "Šimůnek",
            "Vermeulen",
            "Łaski",
            "Råberg",
            "García",
            "Tóth",
            "Yılmaz",
            "Bøe",
            "Żukowska",
            "Dvořák",
            "Mäkinen",
            "O’Brien");

    private EmployeeGenerator() {}

    static Employee employee(long id) {
        Random random = new Random(id * SPREAD);
        String name = pick(FIRST_NAMES, random) + " " + pick(LAST_NAMES, random);
        Department department = pick(List.of(Department.values()), random);
        int rank = random.nextInt(department.roles().size());
        int gross = department.startingGross() * (100 + 35 * rank) / 100 + 5 * random.nextInt(180);
        return new Employee(
                id,
                name,
                department,
                department.roles().get(rank),
                BigDecimal.valueOf(gross),
                pick(List.of(TaxClass.values()), random),
                Account.atDemoBank(1_000_000_000L + id * 7_919),
                FIRST_HIRED.plusMonths(random.nextInt(HIRING_MONTHS)));
    }

    private static <T> T pick(List<T> all, Random random) {
        return all.get(random.nextInt(all.size()));
    }
}
