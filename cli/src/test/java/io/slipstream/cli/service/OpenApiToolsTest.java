package io.slipstream.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.http.HttpGateway;
import io.slipstream.http.api.Api;
import io.slipstream.http.config.HttpConfig;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.ledger.Ledger;
import io.slipstream.ledger.LedgerService;
import io.slipstream.service.Service;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The description of the ledger as the tools of others read it; skipped where they are not installed. */
class OpenApiToolsTest {
    private static final Path TOOLS = Path.of(System.getProperty("user.home"), ".cache/slipstream/test-tools");
    private static final Path SCHEMATHESIS = TOOLS.resolve("schemathesis");
    private static final Path NODE_MODULES = TOOLS.resolve("node/node_modules");
    private static final long SEED = 7;

    private static final String HOOKS = """
        import itertools
        import schemathesis

        numbers = itertools.count(1)


        # JSON Schema takes 7.0 for a whole number, and the gateway does not.
        def whole(value):
            if isinstance(value, float) and value.is_integer():
                return int(value)
            if isinstance(value, list):
                return [whole(each) for each in value]
            if isinstance(value, dict):
                return {name: whole(each) for name, each in value.items()}
            return value


        # A key is wrong only where it is what is tested; and one that was used before belongs to another command.
        @schemathesis.hook
        def before_call(context, case, kwargs):
            case.body = whole(case.body)
            body_is_wrong = getattr(case.meta.phase.data, 'parameter_location', None) == 'body'
            if 'Idempotency-Key' in (case.headers or {}) and (case.meta.generation.mode.is_positive or body_is_wrong):
                case.headers['Idempotency-Key'] = f'schemathesis/{next(numbers)}'
        """;

    private static final String CLIENT = """
        import createClient from 'openapi-fetch';
        import type { components, paths } from './schema.js';

        declare const process: { argv: string[] };
        type Account = components['schemas']['Account'];
        type Transfer = components['schemas']['Transfer'];

        function done<T>(answer: { data?: T, error?: components['schemas']['Problem'] }): Exclude<T, string> {
          if (answer.data === undefined || typeof answer.data === 'string') {
            throw new Error(JSON.stringify(answer.error));
          }
          return answer.data as Exclude<T, string>;
        }

        const ledger = createClient<paths>({ baseUrl: process.argv[2]! });
        for (const account of [1, 2]) {
          done(await ledger.POST('/commands/OpenAccount', { body: { account, mayOverdraw: true } }));
        }
        const pay: Transfer = { id: 1, debit: 1, credit: 2, amount: 7, step: 'PAY', pending: 0, seconds: 0 };
        for (let i = 0; i < 2; i++) {
          const submitted = done(await ledger.POST('/commands/Submit',
            { params: { header: { 'Idempotency-Key': 'tsc/1' } }, body: { transfers: [pay] } }));
          if (submitted.failures.length !== 0) throw new Error(JSON.stringify(submitted));
        }
        const account: Account = done(await ledger.POST('/queries/AccountOf', { body: { account: 2 } }));
        if (account.credits !== 7) throw new Error(JSON.stringify(account));

        // What the ledger would refuse does not compile.
        export function refused() {
          // @ts-expect-error
          const step: Transfer = { id: 1, debit: 1, credit: 2, amount: 7, step: 'STEAL', pending: 0, seconds: 0 };
          // @ts-expect-error
          const half: Account = { account: 1 };
          // @ts-expect-error
          ledger.POST('/commands/Steal', { body: { step, half } });
        }
        """;

    @TempDir
    Path folder;

    private Service service;
    private HttpGateway gateway;

    @BeforeEach
    void start() throws IOException {
        service = Service.start(
                LedgerService.config(folder.resolve("ledger")).withJournal(JournalConfig.at(Durability.PROCESS)),
                Ledger::new);
        gateway = HttpGateway.start(
                HttpConfig.onPort(0), Api.of(Ledger.CONTRACT), new InetSocketAddress("localhost", service.port()));
    }

    @AfterEach
    void stop() {
        gateway.close();
        service.close();
    }

    @Test
    void schemathesisFindsNothingThatTheDescriptionDoesNotSay() throws Exception {
        Assumptions.assumeTrue(
                Files.isDirectory(SCHEMATHESIS), "schemathesis is not installed; run etc/install-test-tools");
        Files.writeString(folder.resolve("hooks.py"), HOOKS);
        // A feed has no end.
        Files.writeString(folder.resolve("schemathesis.toml"), "max-stream-events = 1\n");
        run(
                "python3",
                "-m",
                "schemathesis.cli",
                "run",
                site() + "openapi.json",
                "--url",
                site(),
                "--max-examples",
                "30",
                "--output-sanitize",
                "false",
                "--seed",
                Long.toString(SEED),
                "--generation-database",
                "none",
                "--no-color");
    }

    @Test
    void aClientInTypeScriptIsGeneratedCompiledAndUnderstood() throws Exception {
        Assumptions.assumeTrue(
                Files.isDirectory(NODE_MODULES),
                "the TypeScript compiler is not installed; run etc/install-test-tools");
        Files.createSymbolicLink(folder.resolve("node_modules"), NODE_MODULES);
        Files.writeString(folder.resolve("package.json"), "{\"type\": \"module\"}");
        Files.writeString(folder.resolve("client.ts"), CLIENT);
        try (InputStream description =
                URI.create(site() + "openapi.json").toURL().openStream()) {
            Files.copy(description, folder.resolve("openapi.json"));
        }
        run("node_modules/.bin/openapi-typescript", "openapi.json", "-o", "schema.d.ts");
        run(
                "node_modules/.bin/tsc",
                "--strict",
                "--skipLibCheck",
                "--target",
                "es2022",
                "--module",
                "nodenext",
                "--lib",
                "es2022,dom",
                "client.ts");
        run("node", "client.js", site());
    }

    private String site() {
        return "http://localhost:" + gateway.port() + "/";
    }

    private void run(String... command) throws IOException, InterruptedException {
        File said = folder.resolve("said").toFile();
        List<String> all = List.of(command);
        ProcessBuilder builder = new ProcessBuilder(all)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said);
        builder.environment().put("PYTHONPATH", SCHEMATHESIS + File.pathSeparator + folder);
        builder.environment().put("SCHEMATHESIS_HOOKS", "hooks");
        assertThat(builder.start().waitFor())
                .as(() -> String.join(" ", all) + ":\n" + text(said))
                .isZero();
    }

    private static String text(File file) {
        try {
            return Files.readString(file.toPath());
        } catch (IOException e) {
            return e.toString();
        }
    }
}
