import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StartedServer, startServer } from '#tests/support/server/started-server.ts'

let server: StartedServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

/** Niceness is the 19th field of `stat`; the name in the second field may contain spaces. */
function niceness(thread: string): number {
  const stat = readFileSync(`/proc/${server.pid}/task/${thread}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
}

const threadsNamed = (wanted: (name: string) => boolean): string[] =>
  process.platform === 'linux'
    ? readdirSync(`/proc/${server.pid}/task`).filter((thread) =>
        wanted(readFileSync(`/proc/${server.pid}/task/${thread}/comm`, 'utf8').trim()),
      )
    : []

test('the server lowers the priority of password-hashing threads on Linux', () => {
  const pool = threadsNamed((name) => name === 'libuv-worker')
  const others = threadsNamed((name) => name !== 'libuv-worker')
  expect(pool.length).toBe(process.platform === 'linux' ? 4 : 0)
  for (const thread of pool) expect(niceness(thread)).toBe(niceness(String(server.pid)) + 5)
  for (const thread of others) expect(niceness(thread)).toBe(niceness(String(server.pid)))
})
