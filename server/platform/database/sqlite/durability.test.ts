import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Database } from '#server/platform/database/database.ts'
import { openDatabase } from '#server/platform/database/open-database.ts'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

const aFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-durability-'))
  folders.push(folder)
  return folder
}

const namesIn = async ({ read }: Database): Promise<Set<string>> =>
  new Set((await read.selectFrom('workspace').select('name').execute()).map(({ name }) => name))

function startWriter(folder: string, killAfter: number) {
  const child = spawn(process.execPath, ['tests/support/server/endless-writer.ts', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const acknowledged: string[] = []
  const acting = Promise.withResolvers<void>()
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    // The kill truncated this line, so the write wasn't acknowledged.
    rest = lines.pop() ?? ''
    acknowledged.push(...lines)
    if (acknowledged.length > 0) acting.resolve()
    if (acknowledged.length >= killAfter) child.kill('SIGKILL')
  })
  return { acknowledged, acting: acting.promise, kill: () => child.kill('SIGKILL'), ended: once(child, 'close') }
}

describe('a server killed during a burst of writes', () => {
  test.each([1, 57, 600])('has every acknowledged write after a restart (kill after %i)', async (killAfter) => {
    const folder = await aFolder()
    const writer = startWriter(folder, killAfter)
    await writer.ended
    const database = await openDatabase({ dataFolder: folder })
    const stored = await namesIn(database)
    await database.close()
    expect(writer.acknowledged.length).toBeGreaterThanOrEqual(killAfter)
    expect(writer.acknowledged.filter((name) => !stored.has(name))).toEqual([])
  })
})

describe('a second server on the same data folder', () => {
  test('is rejected while the first server is running, but the command line can connect', async () => {
    const folder = await aFolder()
    const writer = startWriter(folder, Number.POSITIVE_INFINITY)
    await writer.acting
    await expect(openDatabase({ dataFolder: folder })).rejects.toThrow('Another Dossier server is already using')

    const beside = await openDatabase({ dataFolder: folder }, { openedBy: 'command-line' })
    await beside.write(({ db }) => db.insertInto('workspace').values({ name: 'from beside', value: '' }).execute())
    expect(await namesIn(beside)).toContain('from beside')
    await beside.close()

    writer.kill()
    await writer.ended
    const successor = await openDatabase({ dataFolder: folder })
    await successor.close()
  })
})
