import { HELD_BY_OTHER, NOT_OURS } from './open-connection.ts'
import { sqliteCodeOf } from './sqlite-fault.ts'

/** Why the database file could not be opened, in one sentence for whoever starts the server. */
export function sqliteStartSentence(error: unknown, file: string): string {
  const code = sqliteCodeOf(error) ?? ''
  if (code === HELD_BY_OTHER) {
    return `Another Dossier is already running on the data of ${file}. Stop that one first, or give this one a folder of its own in DOSSIER_DATA.`
  }
  if (code === NOT_OURS) {
    return `DOSSIER_DATA: ${file} is the database of another program. It was left untouched; choose another folder.`
  }
  if (code.startsWith('SQLITE_NOTADB')) {
    return `DOSSIER_DATA: ${file} is not a database. It was left untouched; choose another folder, or move the file away.`
  }
  if (code.startsWith('SQLITE_CORRUPT')) {
    return `The database ${file} is damaged. It was left untouched; restore a backup, or keep a copy of the file and ask for help.`
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return `Another program keeps the database ${file} locked. Stop that program, then start again.`
  }
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_PERM')) {
    return `DOSSIER_DATA: the database ${file} cannot be written by this user. Give it the right to, or choose another folder.`
  }
  if (code.startsWith('SQLITE_FULL')) return `The disk of ${file} is full. Make room on it, then start again.`
  const reason = error instanceof Error ? String(error.cause ?? error.message) : String(error)
  return `The database ${file} cannot be opened. SQLite says: ${reason}`
}
