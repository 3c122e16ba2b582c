package dev.treadle.dashboard.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactorTest {
    private final Redactor redactor = new Redactor(List.of("salary"), getClass().getClassLoader());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"password\":\"canary\"}",
                "[{\"user\":{\"apiKey\":\"canary\"}}]",
                "{\"accessToken\":{\"value\":\"canary\"}}",
                "{\"monthlySalary\":\"canary\"}",
                "{\"client_secret\":[\"canary\"]}",
                "{\"a\":[{\"b\":{\"Authorization\":\"Bearer canary\"}}]}"
            })
    void a_secret_is_not_shown_wherever_it_stands(String arguments) {
        String shown = redactor.arguments(arguments);

        assertFalse(shown.contains("canary"), shown);
        assertTrue(shown.contains(Redactor.HIDDEN), shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":7,\"credentials\":{\"user\":\"canary\",\"key\":\"canary\",\"n\":[1,{\"a\":\"canary\"}]},\"z\":1}",
                "{\"id\":7,\"tokens\":[\"canary\",\"canary \\\" , canary\",[\"canary\"]],\"z\":[1]}",
                "[{\"a\":{\"monthlySalary\":{\"gross\":\"canary\",\"net\":\"canary\"}}},{\"secret\":{}},{\"pin\":\"canary\"}]",
                "{ \"password\" : [ \"canary\" , true , null , -1.50e3 , \"canary\" ] , \"z\" : 1 }",
                "{\"iban\":\"canary canary, canary\",\"ssn\":-1.5,\"z\":\"\\u0022canar\"}",
            })
    void an_excerpt_hides_objects_and_arrays_of_several_members_wherever_it_was_cut_off(String arguments) {
        for (int cut = 0; cut <= arguments.length(); cut++) {
            String shown = redactor.arguments(arguments.substring(0, cut));
            assertFalse(shown.contains("canary"), cut + ": " + shown);
        }
        assertTrue(redactor.arguments(arguments).contains(Redactor.HIDDEN), redactor.arguments(arguments));
    }

    @Test
    void an_excerpt_keeps_all_else_to_the_letter_and_the_beginning_of_what_was_cut_off() {
        String whole =
                "{\"to\":\"ada \\u00e9 \\\"x\\\"\",\"token\":[1,{}],\"amount\": 2.50,\"a\":[true,null],\"text\":\"a long one\"}";
        assertEquals(whole.replace("[1,{}]", "\"•••\""), redactor.arguments(whole));
        assertEquals("{\"to\":\"ada…", redactor.arguments("{\"to\":\"ada"));
        assertEquals("{\"to\":\"ada \\u00…", redactor.arguments("{\"to\":\"ada \\u00"));
        assertEquals("{\"a\":1,\"tok…", redactor.arguments("{\"a\":1,\"tok"));
        assertEquals("{\"a\":1,\"token\":\"•••\"…", redactor.arguments("{\"a\":1,\"token\":[\"x"));
        assertEquals("{\"a\":1,\"token\":\"•••\"…", redactor.arguments("{\"a\":1,\"token\":\"x"));
        assertEquals("{\"a\":1,\"b\":[2,\"c\"…", redactor.arguments("{\"a\":1,\"b\":[2,\"c\","));
        assertEquals("{\"a\":\"b\"…", redactor.arguments("{\"a\":\"b\",\\ no JSON {\"password\":{\"x\":1,\"y\":2}}"));
        assertEquals("[\"a\",…", redactor.arguments("[\"a\",\"bad \\q\",{\"password\":[1,2]}]"));
    }

    @Test
    void whatever_stands_around_it_the_secret_is_hidden_and_nothing_else() {
        for (long seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            StringBuilder given = new StringBuilder();
            StringBuilder wanted = new StringBuilder();
            write(random, 0, given, wanted);
            assertEquals(wanted.toString(), redactor.arguments(given.toString()), "seed " + seed);
            for (int i = 0; i < 20; i++) {
                String cut = given.substring(0, random.nextInt(given.length() + 1));
                assertFalse(redactor.arguments(cut).contains("canary"), "seed " + seed + ": " + cut);
            }
        }
    }

    /** The same JSON as it is given and as it is to be shown. */
    private static void write(Random random, int depth, StringBuilder given, StringBuilder wanted) {
        String blank = " ".repeat(random.nextInt(2));
        int kind = depth > 4 ? 2 + random.nextInt(6) : random.nextInt(8);
        if (kind > 1) {
            String leaf = List.of(
                            "-1.50e3",
                            "12",
                            "true",
                            "null",
                            "\"é \uD83D\uDE00 \\n\\\" ,]}\"",
                            "\"" + "x".repeat(random.nextInt(3_000)) + "\"")
                    .get(kind - 2);
            both(leaf + blank, given, wanted);
            return;
        }
        both((kind == 0 ? "{" : "[") + blank, given, wanted);
        int members = random.nextInt(5);
        for (int i = 0; i < members; i++) {
            both(i == 0 ? blank : "," + blank, given, wanted);
            boolean secret = kind == 0 && random.nextInt(3) == 0;
            if (kind == 0) {
                both((secret ? "\"my_Password " : "\"a\\\"b ") + i + "\"" + blank + ":" + blank, given, wanted);
            }
            if (secret) {
                wanted.append("\"•••\"");
                String canary = List.of(
                                "\"canary\"",
                                "[1,\"canary\",{\"a\":\"canary\"}]",
                                "{\"canary\":{},\"b\":\"canary\"}",
                                "false")
                        .get(random.nextInt(4));
                given.append(canary);
            } else {
                write(random, depth + 1, given, wanted);
            }
        }
        both(kind == 0 ? "}" : "]", given, wanted);
    }

    private static void both(String text, StringBuilder given, StringBuilder wanted) {
        given.append(text);
        wanted.append(text);
    }

    @Test
    void what_is_secret_in_a_string_is_hidden_in_lists_and_on_the_page_of_the_job_alike() {
        String arguments =
                "{\"to\":\"ada\",\"body\":\"{\\\"password\\\":\\\"canary\\\"}\",\"url\":\"https://x/?token=canary&a=1\"}";
        assertEquals(
                "{\"to\":\"ada\",\"body\":\"{\\\"password\\\":•••}\",\"url\":\"https://x/?token=•••&a=1\"}",
                redactor.arguments(arguments));
        for (int cut = 0; cut <= arguments.length(); cut++) {
            String shown = redactor.arguments(arguments.substring(0, cut));
            assertFalse(shown.contains("cana"), cut + ": " + shown);
        }
    }

    @Test
    void text_that_was_cut_off_hides_it_too() {
        for (String text : List.of(
                "{\"password\":\"canary",
                "{\"user\":1,\"apiToken\":\"can\\\"canary\",\"x\":2",
                "password=canary&x=1",
                "login failed: token: canary",
                "{\"salary\":\"canary\",")) {
            assertFalse(redactor.text(text).contains("canary"), redactor.text(text));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization: Bearer canary.canary-canary",
                "> authorization: Basic Y2FuYXJ5canary==\n> accept: b",
                "Authorization: Digest username=\"canary\", realm=\"x\", response=\"canary\"",
                "{Authorization=[Bearer canary, Basic canary], X=[1]}",
                "{\"Authorization\":\"Bearer canary\",\"x\":1}",
                "answered 401 to Bearer caNaRycanary1",
                "got Basic Y2FuYXJ5canary=",
                "token: Bearer canary, then",
                "password=\"my canary\" for ada",
                "password='my canary' for ada",
                "password = `my canary`",
                "said {\\\"password\\\":\\\"my \\\\\\\"canary\\\\\\\", x canary\\\",\\\"a\\\":1}",
                "Credentials[user=ada, secret=[a, canary, (b, canary)], z=1]",
                "\"credentials\":{\"user\":\"x}\",\"key\":\"canary\"},\"z\":1",
                "credentials={user=x, key=canary",
                "password: \"canary that was cut",
                "password => 'canary'",
                "API key: canary",
                "private_key=-----BEGIN PRIVATE KEY-----\ncanary canary\n-----END PRIVATE KEY-----",
                "-----BEGIN RSA PRIVATE KEY-----\ncanary\ncanary",
                "cannot connect to postgres://ada:canary@db:5432/x",
                "password=can,canary",
                "pwd=canary",
                "db.pass: canary",
                "userPin=canary",
                "set-cookie: canary",
                "JSESSIONID: canary",
                "otp -> canary",
                "Kennwort: canary",
                "dasPasswort=canary",
                "login --password canary --x",
                "login --db-pass 'my canary' -v",
                "-pw canary",
                "<password>canary my canary</password>",
                "<ns:apiToken a=\"b\">canary</ns:apiToken>",
                "<pwd>canary that was cut",
                "secrets[0] = canary",
                "token[ab]: canary",
                "sent eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.canary-canary",
                "cannot connect to scott/canary@db.example",
                "jdbc:oracle:thin:scott/canary@//db:1521/x",
            })
    void text_hides_the_whole_value_of_a_secret_name(String text) {
        String shown = redactor.text(text);
        assertFalse(shown.toLowerCase(Locale.ROOT).contains("canary"), shown);
        assertTrue(shown.contains(Redactor.HIDDEN), shown);
        assertEquals(shown, redactor.text(shown), "again");
    }

    @Test
    void what_stands_behind_a_value_is_shown() {
        assertEquals("password=••• for ada", redactor.text("password=\"my canary\" for ada"));
        assertEquals("Authorization: •••\naccept: b", redactor.text("Authorization: Bearer canary x\naccept: b"));
        assertEquals("C[secret=•••, z=1]", redactor.text("C[secret=[a, (b)], z=1]"));
        assertEquals("{password=•••, user=ada}", redactor.text("{password=x, user=ada}"));
        assertEquals("token=•••,user=ada&a=1", redactor.text("token=x,user=ada&a=1"));
        assertEquals("postgres://ada:•••@db:5432/x", redactor.text("postgres://ada:canary@db:5432/x"));
        assertEquals(
                "to Bearer ••• or Basic understanding", redactor.text("to Bearer abcdEF123 or Basic understanding"));
        assertEquals(
                "com.acme.TokenExpiredException: it is over",
                redactor.text("com.acme.TokenExpiredException: it is over"));
    }

    @Test
    void long_text_of_any_kind_is_read_to_its_end() {
        for (String piece : List.of(
                "x",
                "a,",
                "\"",
                "\\\"",
                "'a':",
                "{",
                "token:",
                "a.b ",
                "://a:",
                "bearer ",
                "-----BEGIN ",
                ",a b=",
                "a/b",
                "a/",
                "<a>",
                "<a b",
                "-a ",
                "--",
                "eyJ",
                "eyJaaaaaaaa.",
                "a[0")) {
            String text = "token=" + piece.repeat(20_000) + "\n";
            assertTrue(redactor.text(text).contains(Redactor.HIDDEN), piece);
        }
    }

    @Test
    void names_that_were_given_are_found_in_text_of_any_kind() {
        Redactor given =
                new Redactor(List.of("salary|bonus", "^kto$"), getClass().getClassLoader());
        assertEquals("salary=•••, bonus: •••", given.text("salary=canary, bonus: canary"));
        assertEquals("{\"my salary\":•••,\"a\":1}", given.text("{\"my salary\":[1,2],\"a\":1}"));
        assertEquals("monthlySalary = •••; KTO: •••", given.text("monthlySalary = \"a b\"; KTO: canary"));
        assertEquals("ktonr: 7", given.text("ktonr: 7"));
        assertEquals("request.kto=••• your-kto: •••", given.text("request.kto=canary your-kto: canary"));
    }

    @Test
    void names_in_which_a_secret_word_is_only_a_part_of_another_word_are_shown() {
        for (String text : List.of(
                "passenger=3",
                "bypass: 4",
                "spinning = 5",
                "adopt: x",
                "sessionTimeout=30",
                "standard: x",
                "mypackage/artifact@1.2.3",
                "at app/mod@1.0/a.B.c(B.java:1)",
                "ran --verbose yes --passive x",
                "<passenger>ada</passenger>",
                "eyJ is no token")) {
            assertEquals(text, redactor.text(text));
        }
        assertEquals("key •••, then", redactor.text("key AKIA0123456789ABCDEF, then"));
        assertEquals("<a><pin>•••</pin><b>x</b></a>", redactor.text("<a><pin>7788</pin><b>x</b></a>"));
        assertEquals("x --pass ••• --user ada", redactor.text("x --pass 7788 --user ada"));
    }

    @Test
    void everything_else_stays_as_it_is() {
        for (String text : List.of(
                "{\"id\":12345678901234567890,\"name\":\"ada\"}",
                "[1,2.50,null]",
                "\"pinned\"",
                "\"took 3 s: at 12:30, a=b\"")) {
            assertEquals(text, redactor.arguments(text));
            assertEquals(text, redactor.text(text));
        }
    }
}
