package dev.treadle.dashboard.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
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

    @Test
    void everything_else_stays_as_it_is() {
        for (String text : List.of("{\"id\":12345678901234567890,\"name\":\"ada\"}", "[1,2.50,null]", "\"pinned\"")) {
            assertEquals(text, redactor.arguments(text));
            assertEquals(text, redactor.text(text));
        }
    }
}
