import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPostgresBinaries, type Owner, ownerOfDatabase, programIn } from './postgres-binaries.ts'

export type PostgresServer = { readonly url: string; readonly stop: () => Promise<void> }

/** A PostgreSQL server started by this process, which can be killed and restarted without losing its data. */
export type OwnPostgres = PostgresServer & {
  /** Kills the server without a shutdown. */
  readonly crash: () => Promise<void>
  readonly startAgain: () => Promise<void>
}

const FOLDER_NAME = /^dossier-postgres-(\d+)-/

/** Durability is disabled, because tests don't need it and run several times faster without it. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Stops servers and deletes folders left behind by killed test runs. */
export function sweepAbandoned(parent = tmpdir()): void {
  for (const name of readdirSync(parent)) {
    const owner = FOLDER_NAME.exec(name)?.[1]
    if (owner === undefined || isAlive(Number(owner))) continue
    const folder = join(parent, name)
    const pidFile = join(folder, 'data', 'postmaster.pid')
    const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : Number.NaN
    const commandLine = `/proc/${pid}/cmdline`
    // The process ID may have been reused, so only kill the process if its command line contains the folder.
    if (existsSync(commandLine) && readFileSync(commandLine, 'utf8').includes(folder)) process.kill(pid, 'SIGQUIT')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** The default collation is language-specific, so that tests fail for queries without an explicit collation. */
function makeCluster(native: string, folder: string, owner: Owner): string {
  const password = randomBytes(18).toString('base64url')
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (owner) for (const path of [folder, passwordFile]) chownSync(path, owner.uid, owner.gid)
  const flags = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US', '--no-sync']
  const made = spawnSync(
    programIn(native, 'initdb'),
    ['-D', join(folder, 'data'), '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, ...flags],
    { cwd: folder, encoding: 'utf8', ...owner },
  )
  if (made.status !== 0) throw new Error(`PostgreSQL could not be set up: ${made.error?.message ?? made.stderr}`)
  return password
}

async function becomeReady(server: ChildProcess): Promise<void> {
  let output = ''
  await new Promise<void>((resolve, reject) => {
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (output !== 'ready') output += text
      if (!output.includes('ready to accept connections')) return
      output = 'ready'
      resolve()
    })
    server.once('exit', (code) => reject(new Error(`PostgreSQL ended while starting (${code}): ${output}`)))
  })
}

/** Starts a PostgreSQL server in a temporary folder that is deleted when it stops; `changes` override the settings. */
export async function startPostgres(changes: Readonly<Record<string, string>> = {}): Promise<OwnPostgres> {
  sweepAbandoned()
  const owner = ownerOfDatabase()
  const folder = mkdtempSync(join(tmpdir(), `dossier-postgres-${process.pid}-`))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  try {
    if (owner) chownSync(folder, owner.uid, owner.gid)
    const native = findPostgresBinaries(owner, join(folder, 'program'))
    const password = makeCluster(native, folder, owner)
    const port = await findFreePort()
    const settings = Object.entries({ ...SETTINGS, ...changes, port }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ])
    const launch = async (): Promise<(signal?: 'SIGINT' | 'SIGQUIT') => Promise<void>> => {
      const server = spawn(programIn(native, 'postgres'), ['-D', join(folder, 'data'), ...settings], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
        ...owner,
      })
      const endAtOnce = () => server.kill('SIGQUIT')
      process.once('exit', endAtOnce)
      await becomeReady(server)
      return async (signal = 'SIGINT') => {
        process.removeListener('exit', endAtOnce)
        if (server.exitCode === null && server.kill(signal)) await once(server, 'exit')
      }
    }
    let end = await launch()
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      stop: async () => {
        await end()
        removeFolder()
      },
      crash: () => end('SIGQUIT'),
      startAgain: async () => void (end = await launch()),
    }
  } catch (error) {
    removeFolder()
    throw error
  }
}
