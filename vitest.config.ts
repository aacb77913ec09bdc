import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

const DATABASES = ['sqlite', 'postgres'] as const

type Database = (typeof DATABASES)[number]

/**
 * A worker reads the product once, and not for each file anew: nothing of it is kept in its modules, and no test puts
 * another module in the place of one. Each file opens what it needs, and closes it.
 */
const READ_ONCE = { isolate: false } as const

/** Hundreds of people are made inside of these tests; servers that are started hash as slowly as they should. */
const LOW_HASH_COST = {
  alias: {
    '#server/platform/crypto/hash-cost.ts': fileURLToPath(
      new URL('tests/support/identity/low-hash-cost.ts', import.meta.url),
    ),
  },
}

/** Tests in which the run's database has no say: they open none, or name their own. They are run once, beside SQLite. */
const ON_ONE_DATABASE = [
  'server/platform/database/sqlite/**',
  'server/query/compile/golden.test.ts',
  'server/records/rich-text/**',
  'server/platform/storage/**',
  'tests/http/operations/damaged-database.test.ts',
  'tests/http/files/decompression-bombs.test.ts',
  'tests/http/operations/thread-priority.test.ts',
]

const BUILD_SERVER = 'tests/support/server/vitest-server.ts'
const START_POSTGRES = 'tests/support/database/vitest-postgres.ts'

function project(name: string, include: readonly string[]): TestProjectInlineConfiguration {
  return { extends: true, test: { name, include: [...include], ...READ_ONCE } }
}

/** One suite, once per database: the tests read DOSSIER_TEST_DATABASE, and `tests/support/database/postgres.ts` gives the rest. */
function projectOnEachDatabase(name: string, include: readonly string[]): TestProjectInlineConfiguration[] {
  const on = (database: Database): TestProjectInlineConfiguration => ({
    extends: true,
    test: {
      name: `${name}-${database}`,
      include: [...include],
      env: { DOSSIER_TEST_DATABASE: database },
      ...READ_ONCE,
      ...LOW_HASH_COST,
      globalSetup: database === 'postgres' ? [BUILD_SERVER, START_POSTGRES] : [BUILD_SERVER],
      ...(database === 'postgres' && { exclude: [...ON_ONE_DATABASE] }),
    },
  })
  return DATABASES.map(on)
}

export default defineConfig({
  test: {
    environment: 'node',
    // A suite whose folder is still empty is no failure; a test that was left out is.
    passWithNoTests: true,
    allowOnly: false,
    // No test says how fast something is: these end what hangs, on a machine however busy.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    // On a build machine whose cores are busy elsewhere; whatever needs it is named in the last lines.
    retry: process.env['CI'] === undefined ? 0 : 1,
    // Much of their time tests wait for a disk, a database or a server of their own.
    maxWorkers: 2,
    projects: [
      project('domain', ['domain/**/*.test.ts', 'api/**/*.test.ts']),
      project('samples', ['samples/**/*.test.ts']),
      project('web', ['web/**/*.test.{ts,tsx}', 'tests/conformance/session/**/*.test.ts']),
      project('architecture', ['tests/architecture/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts']),
      ...projectOnEachDatabase('server', ['server/**/*.test.ts', 'tests/crash-points/**/*.test.ts']),
      ...projectOnEachDatabase('http', ['tests/http/**/*.test.ts']),
      ...projectOnEachDatabase('oracle', ['tests/access-oracle/**/*.test.ts']),
      {
        extends: true,
        test: {
          name: 'files-in-s3',
          globalSetup: [BUILD_SERVER],
          include: [
            'files/files',
            'files/zip-archive',
            'uploads/uploads',
            'uploads/filepond-uploads',
            'uploads/upload-crash-recovery',
          ].map((name) => `tests/http/${name}.test.ts`),
          env: { DOSSIER_TEST_DATABASE: 'sqlite', DOSSIER_TEST_STORAGE: 's3' },
        },
      },
      {
        extends: true,
        test: { name: 'conformance', include: ['tests/conformance/query/**/*.test.ts'], globalSetup: [START_POSTGRES] },
      },
    ],
  },
})
