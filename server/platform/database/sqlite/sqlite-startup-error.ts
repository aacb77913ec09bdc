import { LOCKED_BY_OTHER_SERVER, FOREIGN_DATABASE } from './thread/open-connection.ts'
import { sqliteCodeOf } from './sqlite-errors.ts'

/** What each code of SQLite (or the codes that begin with it) means to whoever starts the server. */
const SENTENCES: readonly (readonly [code: string, sentence: (file: string) => string])[] = [
  [
    LOCKED_BY_OTHER_SERVER,
    (file) =>
      `Another Dossier is already running on the data of ${file}. Stop that one first, or give this one a folder of its own in DOSSIER_DATA.`,
  ],
  [
    FOREIGN_DATABASE,
    (file) => `DOSSIER_DATA: ${file} is the database of another program. It was left untouched; choose another folder.`,
  ],
  [
    'SQLITE_NOTADB',
    (file) =>
      `DOSSIER_DATA: ${file} is not a database. It was left untouched; choose another folder, or move the file away.`,
  ],
  [
    'SQLITE_CORRUPT',
    (file) =>
      `The database ${file} is damaged. It was left untouched; restore a backup, or keep a copy of the file and ask for help.`,
  ],
  ['SQLITE_BUSY', (file) => `Another program keeps the database ${file} locked. Stop that program, then start again.`],
  // The file that its connections share could not grow.
  ...['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'].map((code): (typeof SENTENCES)[number] => [
    code,
    (file) => `The disk of ${file} is full. Make room on it, then start again.`,
  ]),
  ...['SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_PERM'].map((code): (typeof SENTENCES)[number] => [
    code,
    (file) =>
      `DOSSIER_DATA: the database ${file} cannot be written by this user. Give it the right to, or choose another folder.`,
  ]),
]

/** Why the database file could not be opened, in one sentence for whoever starts the server. */
export function describeSqliteStartError(error: unknown, file: string): string {
  const code = sqliteCodeOf(error) ?? ''
  const known = SENTENCES.find(([start]) => code.startsWith(start))
  if (known) return known[1](file)
  const reason = error instanceof Error ? error.message : String(error)
  return `The database ${file} cannot be opened (${code || 'no code'}): ${reason}`
}
