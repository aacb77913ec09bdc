import { hostname } from 'node:os'
import { openPasswordRange } from '#tests/support/identity/password-range.ts'
import { openEnvironment, ownerAt } from '#tests/attack/environments.ts'
import type { Findings, Trial } from '#tests/attack/trial.ts'
import { createFixtures } from './fixtures.ts'
import { startWatched } from './watched-server.ts'

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Loopback, private and cloud-metadata addresses, in every notation. */
const HOSTS: readonly string[] = [
  ...words(`
    localhost LOCALHOST localhost. localhost.localdomain ip6-localhost 127.0.0.1 127.0.0.1. 127.1 127.0.1 0 0.0.0.0
    0x7f000001 0x7f.0.0.1 0177.0.0.1 017700000001 2130706433 127.000.000.001 127.0.0.1%00 127.0.0.1%2e
    ①②⑦.⓪.⓪.① 127。0。0。1 １２７.０.０.１ loc%61lhost ⓛⓞⓒⓐⓛⓗⓞⓢⓣ
    [::] [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [fe80::1] [fe80::1%25lo] [fc00::1]
    [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe] [2002:7f00:1::] [2001:0:7f00:1::] [ff02::1] [::ffff:0:7f00:1]
    169.254.169.254 0xa9fea9fe 2852039166 0251.0376.0251.0376 169.254.43518 [::ffff:169.254.169.254] [fd00:ec2::254]
    metadata.google.internal 100.100.100.200 168.63.129.16:32526 10.0.0.1 10.1 172.16.0.1 192.168.1.1 192.168.257
    100.64.0.1 198.18.0.1 192.0.0.192 224.0.0.1 255.255.255.255`),
  hostname(),
  `${hostname()}.`,
]

/** URLs whose host two parsers may determine differently. */
const ADDRESSES: readonly string[] = words(`
  http://example.org@127.0.0.1/ http://example.org:x@127.0.0.1/ http://127.0.0.1#@example.org/ http://127.0.0.1?@example.org/
  http://127.0.0.1\\@example.org/ http://example.org\\@127.0.0.1/ http:127.0.0.1/ http:\\\\127.0.0.1\\ http:///127.0.0.1/
  https:/127.0.0.1/ //127.0.0.1/ HTTP://127.0.0.1/ http://127.0.0.1:80:80/ http://127.0.0.1:0/ http://127.0.0.1:65616/
  http://[::1]:443/ http://127.0.0.1:22/ file:///etc/passwd file://localhost/etc/passwd gopher://127.0.0.1:80/_x dict://127.0.0.1/
  ldap://127.0.0.1/ ftp://127.0.0.1/ tftp://127.0.0.1/ jar:http://127.0.0.1!/ data:text/plain,x blob:http://127.0.0.1/x
  ws://127.0.0.1/ unix:/var/run/docker.sock view-source:http://127.0.0.1/ about:blank javascript:1 x`)

/** Tries to make the server fetch internal URLs; the event-loop probe reports its outgoing connections. */
export const addressTrials: readonly Trial[] = [
  { name: 'hostile addresses', environment: 'SQLite + disk', run: tryAddresses },
]

async function tryAddresses(): Promise<Findings> {
  const environment = await openEnvironment('SQLite + disk')
  const list = await openPasswordRange()
  const broken: string[] = []
  let inputs = 0
  let serverErrors = 0
  try {
    list.answerWith((response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end())
    const server = await startWatched(environment, { UPLOAD_FETCH: 'on', PASSWORD_RANGE_URL: list.url.href })
    const owner = await ownerAt(server)
    await createFixtures(owner)
    const addresses = [...HOSTS.flatMap((host) => [`http://${host}/`, `https://${host}/`]), ...ADDRESSES]
    for (const address of addresses) {
      const requested = new URLSearchParams({ fetch: address, collection: 'cases', field: 'files' })
      const { status, text } = await owner.ask('GET', `/api/uploads?${requested}`)
      inputs += 1
      if (status >= 500) serverErrors += 1
      if (status !== 400) broken.push(`${address} got ${status}: ${text.slice(0, 200)}`)
    }
    const { stallMs } = await server.look()
    const went = new Set([...server.printed().matchAll(/probe: goes to (\S+ \d+)/g)].map(([, where]) => where))
    if (!went.delete(`127.0.0.1 ${list.url.port}`)) broken.push('connections are not reported')
    for (const where of went) broken.push(`the server connected to ${where}`)
    return { inputs, serverErrors, longestStallMs: stallMs, broken }
  } finally {
    await environment.close()
    await list.close()
  }
}
