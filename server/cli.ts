/** `npm run dossier -- <command>`: administration commands that work with or without a running server. */
import { randomBytes } from 'node:crypto'
import { createIdGenerator } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { recoverRestore } from './operations/restore/restore-journal.ts'
import { upgrade } from './operations/backup/upgrade.ts'
import { ALL_COMMANDS } from './operations/commands/all-commands.ts'
import { COMMAND_TIME_LIMITS, type Command } from './operations/commands/command.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { keepNewFilesPrivate } from './operations/process-setup.ts'
import { openDatabase } from './platform/database/open-database.ts'
import { finishRotations } from './operations/keys/rotate-keys.ts'

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const printError = (line: string): void => void process.stderr.write(`${line}\n`)

function listCommands(): string {
  const calls = ALL_COMMANDS.map(({ name, usage }) => `${name} ${usage}`.trim())
  const width = Math.max(...calls.map((call) => call.length))
  return ALL_COMMANDS.map(({ summary }, at) => `  ${(calls[at] ?? '').padEnd(width)}  ${summary}`).join('\n')
}

async function runCommand(command: Command, args: readonly string[]): Promise<number> {
  const config = readConfig(process.env)
  if (!config.ok) {
    config.fault.forEach(printError)
    return 1
  }
  await recoverRestore(config.value, printError)
  const clock = () => new Date()
  if ('runAlone' in command) return command.runAlone({ args, config: config.value, clock, say: print })
  const report = (error: unknown): void => printError(error instanceof Error ? error.message : String(error))
  const database = await openDatabase(config.value, { openedBy: 'command-line', limits: COMMAND_TIME_LIMITS, report })
  try {
    const stepsTaken = await upgrade({ config: config.value, database, clock, say: printError })
    const newId = createIdGenerator(Date.now, randomBytes)
    await finishRotations({ config: config.value, database, clock, newId })
    return await command.run({ args, config: config.value, database, stepsTaken, clock, newId, say: print })
  } finally {
    await database.close()
  }
}

async function main([name, ...args]: readonly string[]): Promise<number> {
  keepNewFilesPrivate()
  const command = ALL_COMMANDS.find((each) => each.name === name)
  if (command) return runCommand(command, args)
  const isRequested = name === undefined || name === 'help' || name === '--help'
  if (!isRequested) printError(`Unknown command "${name}". Available commands:`)
  print(`${isRequested ? 'npm run dossier -- <command>\n\n' : ''}${listCommands()}`)
  return isRequested ? 0 : 1
}

main(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = exitCode
  },
  (error: unknown) => {
    const isExpected = error instanceof Problem
    printError(
      isExpected || !(error instanceof Error) ? String(isExpected ? error.message : error) : (error.stack ?? ''),
    )
    process.exitCode = 1
  },
)
