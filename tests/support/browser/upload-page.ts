import { expect, type Locator, type Page } from '@playwright/test'
import { ADA, asProgram } from './session-page.ts'

/** Creates a collection with a files field and one record. */
export async function createFilesRecord(url: string, name: string, more: readonly object[] = []) {
  const { ask } = await asProgram(url, ADA)
  const fields = [
    { name: 'title', label: 'Title', kind: 'text' },
    { name: 'plans', label: 'Plans', kind: 'files' },
    ...more,
  ]
  await ask('POST', '/api/collections', { name, label: name, fields })
  const made = await ask('POST', `/api/collections/${name}/records`, { values: { title: 'Harbour' } })
  const id = String(made['id'])
  const api = `/api/collections/${name}/records/${id}`
  return {
    page: `/collections/${name}/${id}`,
    list: `/collections/${name}`,
    id,
    api,
    /** IDs of the files in the field. */
    files: async (field = 'plans'): Promise<readonly string[]> => {
      const record = await ask('GET', api)
      // The tests assert the response format.
      return (record['values'] as Record<string, string[]>)[field] ?? []
    },
    bytesOf: async (file: string): Promise<Uint8Array> => {
      const { email, password } = ADA
      const login = await fetch(`${url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password, client: 'api' }),
      })
      const { token } = (await login.json()) as { readonly token: string }
      const answer = await fetch(`${url}/api/files/${file}`, { headers: { authorization: `Bearer ${token}` } })
      return new Uint8Array(await answer.arrayBuffer())
    },
  }
}

/** An upload request sent by the browser. */
export type UploadRequest = {
  readonly method: string
  readonly bodyBytes: number
  /** The time at which the request was sent, in ms on the page's clock. */
  readonly atMs: number
  readonly offset: number
}

/** Records upload requests and the maximum number of concurrent ones. */
export async function recordUploads(page: Page) {
  await page.addInitScript(() => {
    const noted: object[] = []
    let flying = 0
    const most = { files: 0 }
    Object.assign(globalThis, { noted, most })
    globalThis.XMLHttpRequest = class extends XMLHttpRequest {
      readonly fact = { method: '', offset: -1 }
      override open(method: string, url: string | URL) {
        this.fact.method = method
        super.open(method, url)
      }
      override setRequestHeader(name: string, value: string) {
        if (name.toLowerCase() === 'upload-offset') this.fact.offset = Number(value)
        super.setRequestHeader(name, value)
      }
      override send(body?: XMLHttpRequestBodyInit | Document | null) {
        flying += 1
        most.files = Math.max(most.files, flying)
        // Added before the page's own listeners, because one of those starts the next request.
        this.addEventListener('readystatechange', () => {
          if (this.readyState === XMLHttpRequest.DONE) flying -= 1
        })
        noted.push({ ...this.fact, bodyBytes: body instanceof Blob ? body.size : 0, atMs: Date.now() })
        super.send(body)
      }
    }
  })
  return {
    requests: (): Promise<readonly UploadRequest[]> =>
      page.evaluate(() => (globalThis as unknown as { noted: UploadRequest[] }).noted),
    maxConcurrent: (): Promise<number> =>
      page.evaluate(() => (globalThis as unknown as { most: { files: number } }).most.files),
  }
}

/** Limits the page's bandwidth to that of a mobile connection; 0 removes the limit. */
export async function slowDown(page: Page, bytesPerSecond: number): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond === 0 ? -1 : bytesPerSecond,
  })
}

/** Simulates dragging files from the operating system over elements and dropping them. */
export async function dragFiles(page: Page, files: readonly { readonly name: string; readonly text: string }[]) {
  const data = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer()
    for (const { name, text } of all) transfer.items.add(new File([text], name, { type: 'text/plain' }))
    return transfer
  }, files)
  const tell = async (type: string, place: Locator, pointer = place) => {
    const { x, y, width, height } = (await pointer.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await place.dispatchEvent(type, { dataTransfer: data, clientX: x + width / 2, clientY: y + height / 2 })
  }
  return {
    over: async (place: Locator) => {
      await tell('dragenter', place)
      await tell('dragover', place)
    },
    /** `pointer` is the element under the pointer; defaults to the drop target. */
    drop: async (place: Locator, pointer = place) => {
      await tell('dragenter', place, pointer)
      await tell('dragover', place, pointer)
      await tell('drop', place, pointer)
    },
  }
}

/** The header button that is shown while uploads are running. */
export const uploadsButton = (page: Page) => page.getByRole('button', { name: /^Uploads:/ })

/** Waits until the record contains this many files. */
export const expectFiles = (record: { files: () => Promise<readonly string[]> }, count: number) =>
  expect.poll(async () => (await record.files()).length, { timeout: 30_000 }).toBe(count)
