import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin, type TestProjectInlineConfiguration } from 'vitest/config'
import { IS_DAILY, IS_QUICK } from './tests/support/test-tier.ts'

const DATABASES = ['sqlite', 'postgres'] as const

type Database = (typeof DATABASES)[number]

/** A worker loads each module once for all test files, because modules keep no state and no test mocks a module. */
const READ_ONCE = { isolate: false } as const

/** Low cost of password hashes for tests that create hundreds of users in-process; servers use the full cost. */
const LOW_HASH_COST = {
  alias: {
    '#server/platform/crypto/hash-cost.ts': fileURLToPath(
      new URL('tests/support/identity/low-hash-cost.ts', import.meta.url),
    ),
  },
}

/** Tests that start processes, wait for time limits or write a lot. The quick tier leaves them out. */
const SLOW_TESTS = [
  'scripts/make-icons.test.ts',
  'server/files/{blobs,ownership}/**',
  'server/operations/**',
  'server/platform/concurrency/async-helpers.test.ts',
  'server/platform/database/{open-database,sqlite/*}.test.ts',
  'server/platform/http/read-json-body.test.ts',
  'server/platform/mail/**',
  'server/platform/storage/**',
  'server/query/cache/list-cache.test.ts',
  'server/query/indexes/index-manager.test.ts',
  'server/query/search/index/full-text-indexes.test.ts',
  'tests/crash-points/**',
]

/** Long tests: they start many servers, wait for time limits or write a lot. They run in the full tier only. */
const LONG_TESTS = IS_DAILY
  ? [
      'scripts/make-icons.test.ts',
      'tests/access-oracle/noninterference/**',
      'server/files/blobs/quarantine.test.ts',
      'server/files/ownership/claim-storage.test.ts',
      'server/operations/backup/**',
      'server/platform/storage/s3/s3-storage.test.ts',
      'server/platform/database/postgres/connection-loss.test.ts',
      'server/platform/database/sqlite/{durability,open-sqlite}.test.ts',
      'server/platform/mail/mailer.test.ts',
      'tests/crash-points/**',
      'tests/http/access/access-matrix.test.ts',
      'tests/http/files/{decompression-bombs,storage-quota}.test.ts',
      'tests/http/identity/{attempt-limits,leaked-passwords,sign-in-attacks}.test.ts',
      'tests/http/import/{import-crash-recovery,import-limits,import-round-trip,import-updates,messy-csv}.test.ts',
      'tests/http/jobs/job-crash-recovery.test.ts',
      'tests/http/operations/damaged-database.test.ts',
      'tests/http/operations/key-mismatch.test.ts',
      'tests/http/operations/key-rotation.test.ts',
      'tests/http/operations/lost-database.test.ts',
      'tests/http/operations/multi-instance-changes.test.ts',
      'tests/http/records/compare-fields.test.ts',
      'tests/http/rich-text/hostile-documents.test.ts',
      'tests/http/schema/field-kind-changes.test.ts',
      'tests/http/schema/sample-data.test.ts',
      'tests/http/shell/concurrency-limits.test.ts',
      'tests/http/shell/curl-examples.test.ts',
      'tests/http/shell/generated-clients.test.ts',
      'tests/http/shell/odd-names.test.ts',
      'tests/http/shell/slow-clients.test.ts',
      'tests/http/uploads/tus-client.test.ts',
    ]
  : []

/** On PostgreSQL the daily tier runs what depends on the database; the access oracle covers permissions. */
const HTTP_ON_POSTGRES = IS_DAILY
  ? ['import', 'jobs', 'records', 'schema'].map((area) => `tests/http/${area}/**/*.test.ts`)
  : ['tests/http/**/*.test.ts']

/** Tests whose result hardly depends on the database. On PostgreSQL they run in the full tier only. */
const POSTGRES_IN_FULL_TIER = IS_DAILY
  ? [
      'server/{access,files,http}/**',
      'server/operations/doctor/**',
      'server/platform/{concurrency,config,crypto,http,mail}/**',
      'server/platform/database/{migrations/**,open-database.test.ts}',
      'server/query/{cache,indexes}/**',
      'server/records/show/**',
      'tests/http/import/{imports,match-people-by-name}.test.ts',
      'tests/http/jobs/job-permissions.test.ts',
      'tests/http/records/{calculated-defaults,dashboards,home,view-types,views}.test.ts',
      'tests/http/records/{rollup-maintenance,undo-definitions}.test.ts',
      'tests/http/schema/{field-kinds,hostile-patterns,number-formats,sidebar,templates}.test.ts',
      'tests/http/schema/{linked-formulas,rollups,validation-rules,workflows,workspace-time-zone}.test.ts',
    ]
  : []

/** HTTP tests that also run with files in S3; the full tier has more of them. */
const HTTP_ON_S3 = [
  'uploads/uploads',
  ...(IS_DAILY
    ? []
    : ['files/files', 'files/zip-archive', 'uploads/filepond-uploads', 'uploads/upload-crash-recovery']),
]

/** Tests that open no database or select their own. They run once, with SQLite. */
const ON_ONE_DATABASE = [
  'server/platform/database/sqlite/**',
  'server/query/compile/golden.test.ts',
  'server/records/rich-text/**',
  'server/platform/storage/**',
  'tests/http/operations/damaged-database.test.ts',
  'tests/http/files/decompression-bombs.test.ts',
  'tests/http/operations/thread-priority.test.ts',
  'tests/http/shell/generated-clients.test.ts',
]

const BUILD_SERVER = 'tests/support/server/vitest-server.ts'
const START_POSTGRES = 'tests/support/database/vitest-postgres.ts'

const SETTLE_IMPORTS = 'tests/support/settle-imports.ts'

function project(
  name: string,
  include: readonly string[],
  setupFiles: readonly string[] = [],
): TestProjectInlineConfiguration {
  const exclude = IS_QUICK ? SLOW_TESTS : LONG_TESTS
  return {
    extends: true,
    test: { name, include: [...include], exclude, setupFiles: [...setupFiles], ...READ_ONCE },
  }
}

/** One project per database. Tests read DOSSIER_TEST_DATABASE; `support/database/postgres.ts` creates databases. */
function projectOnEachDatabase(
  name: string,
  include: readonly string[],
  onPostgres: readonly string[] = include,
): TestProjectInlineConfiguration[] {
  const on = (database: Database): TestProjectInlineConfiguration => ({
    extends: true,
    test: {
      name: `${name}-${database}`,
      include: [...(database === 'postgres' ? onPostgres : include)],
      env: { DOSSIER_TEST_DATABASE: database },
      ...READ_ONCE,
      ...LOW_HASH_COST,
      globalSetup: IS_QUICK ? [] : database === 'postgres' ? [BUILD_SERVER, START_POSTGRES] : [BUILD_SERVER],
      exclude: [
        ...(IS_QUICK ? SLOW_TESTS : []),
        ...LONG_TESTS,
        ...(database === 'postgres' ? [...ON_ONE_DATABASE, ...POSTGRES_IN_FULL_TIER] : []),
      ],
    },
  })
  return DATABASES.map(on)
}

/** Loading the source of a worker takes longer than most of its tasks, so tests of the built server use its workers. */
const useBuiltWorkers: Plugin = {
  name: 'built-workers',
  enforce: 'pre',
  transform: {
    filter: { id: /\/server\/.*\.ts$/, code: '-worker.ts' },
    handler: (code) =>
      code.replaceAll(/new URL\('\.\/([\w-]+-worker)\.ts', import\.meta\.url\)/g, (_, name) => {
        const built = new URL(`dist/server/${name}.js`, import.meta.url)
        return `new URL(${JSON.stringify(built.href)})`
      }),
  },
}

export default defineConfig({
  plugins: process.env['SERVER_IS_BUILT'] === undefined ? [] : [useBuiltWorkers],
  test: {
    environment: 'node',
    passWithNoTests: true,
    allowOnly: false,
    // Tests assert no durations; these limits end only tests that hang, even on a busy machine. The full tier generates
    // eight times as many cases.
    testTimeout: IS_DAILY || IS_QUICK ? 60_000 : 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: IS_DAILY || IS_QUICK ? 20_000 : 60_000 } },
    // CI machines may be busy; the summary names every test that needed a retry.
    retry: process.env['CI'] === undefined ? 0 : 1,
    // Each test also keeps threads of its own busy, so more workers than cores take longer.
    maxWorkers: Math.max(2, Math.min(4, availableParallelism())),
    projects: [
      project('domain', ['domain/**/*.test.ts', 'api/**/*.test.ts']),
      project('samples', ['samples/**/*.test.ts']),
      project('web', ['web/**/*.test.{ts,tsx}', 'tests/conformance/session/**/*.test.ts'], [SETTLE_IMPORTS]),
      project('architecture', ['tests/architecture/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts']),
      ...projectOnEachDatabase('server', ['server/**/*.test.ts', 'tests/crash-points/**/*.test.ts']),
      ...projectOnEachDatabase('http', ['tests/http/**/*.test.ts'], HTTP_ON_POSTGRES),
      ...projectOnEachDatabase('access-oracle', ['tests/access-oracle/**/*.test.ts']),
      {
        extends: true,
        test: {
          name: 'files-in-s3',
          globalSetup: [BUILD_SERVER],
          include: HTTP_ON_S3.map((name) => `tests/http/${name}.test.ts`),
          env: { DOSSIER_TEST_DATABASE: 'sqlite', DOSSIER_TEST_STORAGE: 's3' },
        },
      },
      {
        extends: true,
        test: {
          name: 'conformance',
          include: ['tests/conformance/{formulas,query}/**/*.test.ts'],
          globalSetup: [START_POSTGRES],
        },
      },
    ],
  },
})
