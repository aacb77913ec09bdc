import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { randomFrom } from '#tests/access-oracle/generate/random.ts'
import { ADA, asProgram, WITH_ADA } from '#tests/support/browser/session-page.ts'
import { findFreePort } from '#tests/support/server/started-server.ts'
import { bundlePage, PAGE_PATH } from './bundle-page.ts'
import { type FaultProxy, openFaultProxy } from './fault-proxy.ts'
import { type KillableServer, startKillableServer } from './killable-server.ts'
import type { ClientName, TryUploads } from './page/main.ts'
import type { Traffic } from './traffic.ts'

declare global {
  /** Defined by the page that runs the upload clients. */
  var tryUploads: TryUploads
}

/** The field to which all files are uploaded. */
export const TARGET = 'collection=trials&field=files'

/** An uploaded file as returned by the server. */
export type FinishedFile = { readonly sha256: string; readonly bytes: number; readonly name: string }

/** A server, a fault proxy in front of it, and the page that runs the upload clients. */
export type TestBench = {
  readonly server: KillableServer
  readonly proxy: FaultProxy
  /** Opens a signed-in page in a separate browser context; its traffic is counted under the client's name. */
  readonly openPage: (browser: Browser, client: string) => Promise<Page>
  readonly trafficOf: (client: string) => Traffic
  /** Reads an uploaded file directly from the server, bypassing the proxy. */
  readonly read: (id: string) => Promise<FinishedFile>
  /** Runs a function after this many more file bytes have passed through the proxy. */
  readonly whenPassed: (bytes: number, act: () => void) => void
  /** Kills the server at random points while this many file bytes are transferred. */
  readonly planKills: (count: number, withinBytes: number) => void
  readonly close: () => Promise<void>
}

/** Maximum delay of a kill in ms, so that it happens while a chunk is being written or an upload is being completed. */
const KILL_WITHIN_MS = 150

/** The file name in the Content-Disposition header, in its extended form if present. */
function nameIn(disposition: string): string {
  const extended = /filename\*=UTF-8''([^;]*)/.exec(disposition)?.[1]
  if (extended !== undefined) return decodeURIComponent(extended)
  const plain = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;]*))/.exec(disposition)
  return plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2] ?? ''
}

export async function openTestBench(seed: number, env: Readonly<Record<string, string>> = {}): Promise<TestBench> {
  const draw = randomFrom(seed)
  const dataFolder = await mkdtemp(join(tmpdir(), 'dossier-uploads-'))
  const [serverPort, proxyPort] = [await findFreePort(), await findFreePort()]
  const origin = `http://localhost:${proxyPort}`
  const settings = { ...WITH_ADA.env, DOSSIER_URL: origin, ...env }
  const server = await startKillableServer({ port: serverPort, dataFolder, env: settings })
  let moments: { readonly at: number; readonly act: () => void }[] = []
  let passed = 0
  const proxy = await openFaultProxy({
    port: proxyPort,
    serverPort,
    draw,
    files: await bundlePage(),
    onBytes: (bytes) => {
      passed += bytes
      const due = moments.filter(({ at }) => at <= passed)
      moments = moments.filter(({ at }) => at > passed)
      for (const { act } of due) act()
    },
    whenUp: server.whenUp,
  })
  let reader = await asProgram(server.now().url, ADA)
  const ask = (id: string): Promise<IncomingMessage> => {
    const headers = { authorization: `Bearer ${reader.token}` }
    // Uses a new connection for every request, because the server may have been killed.
    const asking = request(`${server.now().url}/api/files/${id}`, { headers, agent: false }).end()
    return once(asking, 'response').then(([answer]: IncomingMessage[]) => answer as IncomingMessage)
  }
  const made = await reader.ask('POST', '/api/collections', {
    name: 'trials',
    label: 'Trials',
    fields: [{ name: 'files', label: 'Files', kind: 'files' }],
  })
  if (made['id'] === undefined) throw new Error(`No collection was created: ${JSON.stringify(made)}`)

  const whenPassed = (bytes: number, act: () => void): void => void moments.push({ at: passed + bytes, act })
  return {
    server,
    proxy,
    trafficOf: proxy.traffic,
    openPage: async (browser, client) => {
      const context = await browser.newContext({ userAgent: client })
      const page = await context.newPage()
      await page.goto(origin + PAGE_PATH)
      await page.evaluate(({ email, password }) => tryUploads.signIn(email, password), ADA)
      return page
    },
    read: async (id) => {
      let answer = await ask(id)
      if (answer.statusCode === 401) {
        // The token expired because the clock was advanced.
        answer.resume()
        reader = await asProgram(server.now().url, ADA)
        answer = await ask(id)
      }
      const hash = createHash('sha256')
      let bytes = 0
      for await (const part of answer as AsyncIterable<Buffer>) {
        hash.update(part)
        bytes += part.length
      }
      if (answer.statusCode !== 200) throw new Error(`File ${id} got ${answer.statusCode}.`)
      return { sha256: hash.digest('hex'), bytes, name: nameIn(answer.headers['content-disposition'] ?? '') }
    },
    whenPassed,
    planKills: (count, withinBytes) => {
      for (let kill = 0; kill < count; kill += 1) {
        whenPassed(1 + draw.below(withinBytes), () => server.killAfter(draw.below(KILL_WITHIN_MS)))
      }
    },
    close: async () => {
      await server.stop()
      await proxy.close()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

/** The upload clients under test. */
export const CLIENTS = ['filepond', 'tus-js-client', '@uppy/tus'] as const satisfies readonly ClientName[]
