package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.treadle.dashboard.guard.Passwords;
import dev.treadle.dashboard.guard.Role;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What docs/deploying.md says, tried with a real nginx. Clients have addresses of their own: 127.0.0.2 and so on. */
@Timeout(180)
class NginxTest {
    private static final String HASH = Passwords.hashed("right-password");

    /** What the controller ingress-nginx makes of the Ingress in the docs, in what matters here. */
    private static final String INGRESS = """
            server {
                listen 443 ssl;
                server_name jobs.example.com;
                ssl_certificate     /etc/ssl/jobs.example.com.pem;
                ssl_certificate_key /etc/ssl/jobs.example.com.key;
                location / {
                    proxy_set_header Host $host;
                    proxy_set_header X-Request-ID $request_id;
                    proxy_set_header X-Real-IP $remote_addr;
                    proxy_set_header X-Forwarded-For $remote_addr;
                    proxy_set_header X-Forwarded-Host $host;
                    proxy_set_header X-Forwarded-Port $server_port;
                    proxy_set_header X-Forwarded-Proto $scheme;
                    proxy_set_header X-Forwarded-Scheme $scheme;
                    proxy_set_header X-Scheme $scheme;
                    proxy_set_header X-Original-Forwarded-For $http_x_forwarded_for;
                    proxy_set_header Proxy "";
                    proxy_buffering off;
                    proxy_request_buffering on;
                    proxy_http_version 1.1;
                    proxy_pass http://127.0.0.1:8000;
                }
            }
            """;

    private static final String BARE = """
            server {
                listen 443 ssl;
                ssl_certificate     /etc/ssl/jobs.example.com.pem;
                ssl_certificate_key /etc/ssl/jobs.example.com.key;
                location / { proxy_pass http://127.0.0.1:8000; }
            }
            """;

    @TempDir
    private Path folder;

    private Path program;
    private Process nginx;
    private int port;
    private Office office;

    @BeforeEach
    void find() {
        program = Stream.of("/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        assumeTrue(program != null, "There is no nginx on this machine: ./treadle setup installs it.");
    }

    @AfterEach
    void end() throws InterruptedException {
        if (nginx != null) {
            nginx.destroy();
            assertTrue(nginx.waitFor(30, TimeUnit.SECONDS), "nginx did not end");
        }
        if (office != null) {
            office.close();
        }
    }

    @Test
    void the_block_of_the_docs_works_for_pages_writes_live_numbers_and_addresses() throws Exception {
        begin(blockOfTheDocs());
        assertWorks();
    }

    @Test
    void what_an_ingress_controller_makes_of_an_ingress_works_too() throws Exception {
        begin(INGRESS);
        assertWorks();
        String probe = new Http(office.dashboard.uri().resolve("/"))
                .with("Host", "10.244.3.7:8000")
                .get("/health/live")
                .body();
        assertEquals("{\"status\":\"up\"}", probe);
    }

    private void begin(String block) throws Exception {
        office = new Office(
                new InMemoryStorageProvider(),
                builder -> builder.allowHost("jobs.example.com")
                        .trustedProxies("127.0.0.1")
                        .userHashed("ada", HASH, Role.OPERATOR)
                        .userHashed("vic", HASH, Role.VIEWER));
        office.fill();
        start(block);
    }

    private void assertWorks() throws Exception {
        assertEquals(401, status(ask("127.0.0.2", "GET /", "")));
        assertEquals(200, status(ask("127.0.0.2", "GET /", basic("ada", "right-password"))));
        String write = "POST /api/v1/bulk";
        String headers =
                basic("ada", "right-password") + "Origin: https://jobs.example.com\r\nSec-Fetch-Site: same-origin\r\n"
                        + "X-Treadle-Request: 1\r\nContent-Type: application/json\r\n";
        assertEquals(
                200,
                status(ask(
                        "127.0.0.2", write, headers, "{\"action\":\"DELETE\",\"state\":\"FAILED\",\"dryRun\":true}")));
        assertEquals(403, status(ask("127.0.0.2", write, headers.replace("https://jobs", "https://evil"), "{}")));
        String live = ask("127.0.0.2", "GET /api/v1/events", basic("ada", "right-password"), "", "event: tick");
        assertTrue(live.contains("event: tick"), live);
        // guesses from one address, whatever it says of itself, and then from another
        String last = "";
        for (int i = 0; i < 6; i++) {
            last = ask("127.0.0.3", "GET /", basic("vic", "wrong" + i) + "X-Forwarded-For: 6.6.6." + i + "\r\n");
        }
        assertEquals(429, status(last), last);
        assertEquals(429, status(ask("127.0.0.3", "GET /", basic("vic", "right-password"))));
        assertEquals(200, status(ask("127.0.0.4", "GET /", basic("vic", "right-password"))));
    }

    @Test
    void without_users_a_proxy_that_tells_of_itself_is_refused_and_one_that_does_not_lets_people_look_alone()
            throws Exception {
        office = new Office(new InMemoryStorageProvider(), builder -> builder);
        start(blockOfTheDocs());
        String refused = ask("127.0.0.2", "GET /", "");
        assertEquals(403, status(refused), refused);
        assertTrue(refused.contains("trustedProxies"), refused);
        end();
        nginx = null;
        office = new Office(new InMemoryStorageProvider(), builder -> builder);
        start(BARE);
        assertEquals(200, status(ask("127.0.0.2", "GET /api/v1/jobs", "")));
        String write = ask(
                "127.0.0.2",
                "POST /api/v1/bulk",
                "X-Treadle-Request: 1\r\nContent-Type: application/json\r\n",
                "{\"action\":\"DELETE\",\"state\":\"FAILED\",\"dryRun\":true}");
        assertEquals(403, status(write), write);
    }

    /** The first block of nginx's language, as people copy it. */
    private static String blockOfTheDocs() throws IOException {
        String text = Files.readString(Path.of("..", "docs", "deploying.md"));
        int begin = text.indexOf("```nginx\n") + "```nginx\n".length();
        return text.substring(begin, text.indexOf("```", begin));
    }

    private void start(String block) throws Exception {
        certificate();
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            port = free.getLocalPort();
        }
        String server = replaced(block, "listen 443 ssl", "listen 127.0.0.1:" + port + " ssl");
        server = replaced(server, "/etc/ssl/", folder + "/");
        server = replaced(
                server, "127.0.0.1:8000", "127.0.0.1:" + office.dashboard.uri().getPort());
        String temporary = Stream.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
                .map(kind -> kind + "_temp_path " + folder + "/" + kind + ";\n")
                .reduce("", String::concat);
        Files.writeString(
                folder.resolve("nginx.conf"),
                "daemon off;\nmaster_process off;\npid " + folder + "/nginx.pid;\nerror_log " + folder
                        + "/error.log;\nevents {}\nhttp {\naccess_log off;\n" + temporary + server + "}\n");
        nginx = new ProcessBuilder(
                        program.toString(),
                        "-p",
                        folder.toString(),
                        "-c",
                        folder.resolve("nginx.conf").toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out.log").toFile())
                .start();
        Awaitility.await().until(() -> {
            assertTrue(nginx.isAlive(), () -> "nginx ended: " + read("out.log") + read("error.log"));
            try (Socket socket = new Socket("127.0.0.1", port)) {
                return socket.isConnected();
            } catch (IOException e) {
                return false;
            }
        });
    }

    private static String replaced(String text, String part, String by) {
        assertTrue(text.contains(part), part + " in " + text);
        return text.replace(part, by);
    }

    private String read(String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException e) {
            return "";
        }
    }

    private void certificate() throws Exception {
        Path store = folder.resolve("store.p12");
        if (Files.exists(store)) {
            return;
        }
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "a",
                        "-keyalg",
                        "EC",
                        "-storetype",
                        "PKCS12",
                        "-dname",
                        "CN=jobs.example.com",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        "changeit"))
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, keytool.waitFor(), said);
        KeyStore keys = KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
        pem(
                "jobs.example.com.key",
                "PRIVATE KEY",
                keys.getKey("a", "changeit".toCharArray()).getEncoded());
        pem("jobs.example.com.pem", "CERTIFICATE", keys.getCertificate("a").getEncoded());
    }

    private void pem(String file, String kind, byte[] bytes) throws IOException {
        Files.writeString(
                folder.resolve(file),
                "-----BEGIN " + kind + "-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + kind
                        + "-----\n");
    }

    private String ask(String from, String what, String headers) throws Exception {
        return ask(from, what, headers, "");
    }

    private String ask(String from, String what, String headers, String body) throws Exception {
        return ask(from, what, headers, body, null);
    }

    /** @param until stops reading there; null at the end of the answer */
    private String ask(String from, String what, String headers, String body, String until) throws Exception {
        try (Socket plain = new Socket()) {
            plain.bind(new InetSocketAddress(from, 0));
            plain.connect(new InetSocketAddress("127.0.0.1", port));
            plain.setSoTimeout(60_000);
            try (Socket socket = trustingAll().getSocketFactory().createSocket(plain, "jobs.example.com", port, true)) {
                socket.getOutputStream()
                        .write((what + " HTTP/1.1\r\nHost: jobs.example.com\r\nConnection: close\r\n" + headers
                                        + "Content-Length: " + body.length() + "\r\n\r\n" + body)
                                .getBytes(StandardCharsets.US_ASCII));
                return read(socket.getInputStream(), until);
            }
        }
    }

    private static String read(InputStream in, String until) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int one; (one = in.read()) >= 0 && (until == null || text.indexOf(until) < 0); ) {
            text.append((char) one);
        }
        return text.toString();
    }

    private static int status(String answer) {
        return Integer.parseInt(answer.split(" ")[1]);
    }

    private static String basic(String name, String password) {
        return "Authorization: basic "
                + Base64.getEncoder().encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8)) + "\r\n";
    }

    /** The certificate is the test's own. */
    private static SSLContext trustingAll() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                null,
                new TrustManager[] {
                    new X509TrustManager() {
                        @Override
                        public void checkClientTrusted(X509Certificate[] chain, String type) {}

                        @Override
                        public void checkServerTrusted(X509Certificate[] chain, String type) {}

                        @Override
                        public X509Certificate[] getAcceptedIssuers() {
                            return new X509Certificate[0];
                        }
                    }
                },
                new SecureRandom());
        return context;
    }
}
