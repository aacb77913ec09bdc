import type { Command } from './command.ts'

/** Brings the tables up to date without starting a server; every other command does it on its way, too. */
export const migrateCommand: Command = {
  name: 'migrate',
  usage: '',
  summary: 'run pending database migrations; the server also does this at startup',
  run: async ({ stepsTaken, say }) => {
    say(stepsTaken.length === 0 ? 'The database is up to date.' : `Migrations applied: ${stepsTaken.join(', ')}.`)
    return 0
  },
}
