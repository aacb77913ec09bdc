import { LOCKED_BY_OTHER_SERVER, FOREIGN_DATABASE } from './thread/open-connection.ts'
import { sqliteCodeOf } from './sqlite-errors.ts'

/** What each code of SQLite (or the codes that begin with it) means to whoever starts the server. */
const SENTENCES: readonly (readonly [code: string, sentence: (file: string) => string])[] = [
  [
    LOCKED_BY_OTHER_SERVER,
    (file) => `Another Dossier server is already using ${file}. Stop it first, or set DOSSIER_DATA to another folder.`,
  ],
  [
    FOREIGN_DATABASE,
    (file) => `DOSSIER_DATA: ${file} is a database of another program. Nothing was changed. Choose another folder.`,
  ],
  [
    'SQLITE_NOTADB',
    (file) => `DOSSIER_DATA: ${file} isn't a database. Nothing was changed. Choose another folder, or move the file.`,
  ],
  [
    'SQLITE_CORRUPT',
    (file) =>
      `The database ${file} is damaged. Nothing was changed. Restore a backup, or keep a copy of the file and ask for help.`,
  ],
  ['SQLITE_BUSY', (file) => `The database ${file} is locked by another program. Stop that program, then start again.`],
  // The file that its connections share could not grow.
  ...['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'].map((code): (typeof SENTENCES)[number] => [
    code,
    (file) => `The disk of ${file} is full. Free up space, then start again.`,
  ]),
  ...['SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_PERM'].map((code): (typeof SENTENCES)[number] => [
    code,
    (file) => `DOSSIER_DATA: no write permission for the database ${file}. Grant it, or choose another folder.`,
  ]),
]

/** Why the database file could not be opened, in one sentence for whoever starts the server. */
export function describeSqliteStartError(error: unknown, file: string): string {
  const code = sqliteCodeOf(error) ?? ''
  const known = SENTENCES.find(([start]) => code.startsWith(start))
  if (known) return known[1](file)
  const reason = error instanceof Error ? error.message : String(error)
  return `Can't open the database ${file} (${code || 'no code'}): ${reason}`
}
