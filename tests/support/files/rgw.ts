import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findFreePort } from '#tests/support/server/started-server.ts'

const execute = promisify(execFile)

/** An in-memory Ceph cluster with its S3 gateway on this machine. */
export type Rgw = {
  /** Format: `http://key:secret@host:port/bucket`, the same as for `TEST_S3`. */
  readonly address: string
  readonly stop: () => Promise<void>
}

/** Requires the programs `radosgw`, `ceph-mon` and `ceph-osd`, which are available in Debian. */
const PROGRAMS = ['radosgw', 'radosgw-admin', 'ceph-mon', 'ceph-osd', 'ceph', 'monmaptool']

const KEY = { id: 'dossiertest', secret: 'only/for+tests' }
const BUCKET = 'files'

export async function missingPrograms(): Promise<string[]> {
  const looked = PROGRAMS.map((name) =>
    execute('which', [name]).then(
      () => [],
      () => [name],
    ),
  )
  return (await Promise.all(looked)).flat()
}

/** Time limit in ms for each daemon to start. */
const READY_MS = 60_000

/** Starts a monitor, one in-memory OSD and the gateway, and creates a bucket. */
export async function startRgw(): Promise<Rgw> {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-rgw-'))
  const [monitorPort, port] = [await findFreePort(), await findFreePort()]
  const config = join(folder, 'ceph.conf')
  const fsid = randomUUID()
  await mkdir(join(folder, 'osd'))
  await writeFile(config, configOf({ folder, fsid, monitorPort, port }))
  const running: ChildProcess[] = []
  const run = (program: string, ...args: string[]) => execute(program, ['-c', config, ...args])
  const daemon = (program: string, ...args: string[]): void => {
    running.push(spawn(program, ['-c', config, '-f', ...args], { stdio: 'ignore' }))
  }
  const endWithUs = (): void => running.forEach((child) => child.kill('SIGKILL'))
  process.once('exit', endWithUs)
  const stop = async (): Promise<void> => {
    process.removeListener('exit', endWithUs)
    for (const child of running.reverse()) {
      if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
    }
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const map = join(folder, 'monmap')
    await execute('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', `[v1:127.0.0.1:${monitorPort}]`, map])
    await run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map)
    daemon('ceph-mon', '-i', 'a')
    const osd = randomUUID()
    await until(() => run('ceph', 'osd', 'new', osd, '0'))
    await run('ceph-osd', '--mkfs', '-i', '0', '--osd-uuid', osd)
    daemon('ceph-osd', '-i', '0')
    await run('ceph', 'osd', 'crush', 'add', 'osd.0', '1.0', 'root=default')
    daemon('radosgw', '-n', 'client.rgw')
    const made = ['--uid', 'test', '--display-name', 'test', '--access-key', KEY.id, '--secret', KEY.secret]
    await until(() => run('radosgw-admin', 'user', 'create', ...made))
    const address = `http://127.0.0.1:${port}`
    await until(async () => {
      if (!(await fetch(address)).ok) throw new Error('not yet')
    })
    await makeBucket(address)
    return { address: `http://${KEY.id}:${encodeURIComponent(KEY.secret)}@127.0.0.1:${port}/${BUCKET}`, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function makeBucket(endpoint: string): Promise<void> {
  const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3')
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: KEY.id, secretAccessKey: KEY.secret },
  })
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }))
  client.destroy()
}

async function until(work: () => Promise<unknown>): Promise<void> {
  for (const deadline = Date.now() + READY_MS; ; ) {
    try {
      await work()
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
      await pause(200)
    }
  }
}

type Ceph = { readonly folder: string; readonly fsid: string; readonly monitorPort: number; readonly port: number }

const configOf = ({ folder, fsid, monitorPort, port }: Ceph): string => `
[global]
fsid = ${fsid}
mon host = [v1:127.0.0.1:${monitorPort}]
public addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
run dir = ${folder}
admin socket = ${folder}/$name.$pid.asok
log file = ${folder}/$name.log
pid file = ${folder}/$name.pid
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pgp num = 8
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 1000
mon data = ${folder}/mon
mon data avail crit = 1
[osd]
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 8589934592
osd class update on start = false
osd crush update on start = false
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:${port}
rgw dns name = 127.0.0.1
rgw data = ${folder}/rgw
`
