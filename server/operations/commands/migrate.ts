import type { Command } from './command.ts'

/** Brings the tables up to date without starting a server; every other command does it on its way, too. */
export const migrateCommand: Command = {
  name: 'migrate',
  usage: '',
  summary: 'bring the tables of the database up to date; a start of the server does it by itself',
  run: async ({ stepsTaken, say }) => {
    say(stepsTaken.length === 0 ? 'The tables are up to date.' : `Steps taken: ${stepsTaken.join(', ')}.`)
    return 0
  },
}
