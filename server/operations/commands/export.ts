import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { exportRecords as endpoint } from '#api/imports.ts'
import type { Actor } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { exportRecords } from '#server/transfer/export-records.ts'
import type { Command } from './command.ts'
import { createCommandDeps } from './command-deps.ts'

const USAGE = '<collection> [--out <file.csv>] [--filter <text>] [--sort <keys>] [--fields <names>] [--header label]'

const OPTIONS = {
  out: { type: 'string' },
  filter: { type: 'string' },
  sort: { type: 'string' },
  search: { type: 'string' },
  fields: { type: 'string' },
  header: { type: 'string' },
  escapeFormulas: { type: 'string' },
} as const

function parseCall(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: OPTIONS,
    allowPositionals: true,
    strict: false,
  })
  const { out, ...requested } = values
  const [collection, ...more] = positionals
  const query = endpoint.query.safeParse(requested)
  const target = z.string().min(1).optional().safeParse(out)
  if (collection !== undefined && more.length === 0 && query.success && target.success) {
    return { collection, query: query.data, out: target.data }
  }
  throw new Problem('invalid-request', `Usage: npm run dossier -- export ${USAGE}`)
}

const ACTOR: Actor = { type: 'system', reason: 'export from the command line' }

export const exportCommand: Command = {
  name: 'export',
  usage: USAGE,
  summary: 'export the records of a collection as CSV to a file or standard output',
  run: async (deps) => {
    const { collection, query, out } = parseCall(deps.args)
    const { lines } = await exportRecords(createCommandDeps(deps), ACTOR, collection, query)
    if (out === undefined) return print(Readable.from(lines))
    await pipeline(Readable.from(lines), createWriteStream(out))
    deps.say(`Written to ${out}.`)
    return 0
  },
}

/** The reader may close the pipe early, as `head` does. */
const print = (lines: Readable): Promise<number> =>
  pipeline(lines, process.stdout, { end: false }).then(
    () => 0,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return 0
      throw error
    },
  )
