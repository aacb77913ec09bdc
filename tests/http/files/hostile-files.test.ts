import { deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleImage, decompressionBomb } from '#tests/support/files/image-samples.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { type TusSender, tusSender } from '#tests/support/files/tus-sender.ts'

let app: TestApp
let url: string
let owner: Caller
let sender: TusSender
const target = { collection: 'plans', field: 'files' }

beforeAll(async () => {
  app = await openTestApp()
  url = await app.listen()
  owner = await app.asOwner()
  sender = tusSender(url, owner)
  await owner.post('/api/collections', { label: 'Plans', fields: [{ label: 'Files', kind: 'files' }] })
})
afterAll(() => app.close())

type Hostile = { readonly what: string; readonly name: string; readonly bytes: Buffer; readonly says?: string }

const text = (...parts: readonly string[]): Buffer => Buffer.from(parts.join(''))
const SCRIPT = '<script>fetch("/ran")</script>'
const EICAR = 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'

/** A GIF with many one-pixel frames. */
const manyFrames = (count: number): Buffer =>
  Buffer.concat([
    Buffer.from('474946383961010001008000000000ffffff', 'hex'),
    ...Array.from({ length: count }, () => Buffer.from('2c000000000100010000020144003b', 'hex').subarray(0, 14)),
    Buffer.from('3b', 'hex'),
  ])

async function hostileFiles(): Promise<readonly Hostile[]> {
  const png = await sampleImage(2, 2)
  const jpeg = await sampleImage(20, 20, 'jpeg')
  return [
    {
      what: 'GIF that is also a script',
      name: 'a.gif',
      bytes: text('GIF89a/*', '\0'.repeat(8), '*/=1;fetch("/ran")'),
    },
    { what: 'PDF that is also a page', name: 'a.pdf', bytes: text('%PDF-1.4\n', SCRIPT) },
    { what: 'JPEG followed by a page', name: 'a.jpg', bytes: Buffer.concat([jpeg, text('<html>', SCRIPT)]) },
    {
      what: 'PNG followed by an archive',
      name: 'b.png',
      bytes: Buffer.concat([png, text('PK\x05\x06', '\0'.repeat(18))]),
    },
    {
      what: 'SVG with a script',
      name: 'a.svg',
      bytes: text('<svg xmlns="http://www.w3.org/2000/svg">', SCRIPT, '</svg>'),
    },
    {
      what: 'SVG with onload',
      name: 'b.svg',
      bytes: text('<svg xmlns="http://www.w3.org/2000/svg" onload="fetch(`/ran`)"/>'),
    },
    { what: 'HTML page', name: 'a.html', bytes: text('<!doctype html>', SCRIPT), says: 'text/html' },
    { what: 'HTML page with a .png name', name: 'c.png', bytes: text('<!doctype html>', SCRIPT), says: 'image/png' },
    { what: 'image with an .html name', name: 'd.html', bytes: png, says: 'text/html' },
    {
      what: 'XHTML page',
      name: 'a.xhtml',
      bytes: text('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">', SCRIPT, '</html>'),
      says: 'application/xhtml+xml',
    },
    { what: 'script', name: 'a.js', bytes: text('fetch("/ran")'), says: 'text/javascript' },
    { what: 'stylesheet', name: 'a.css', bytes: text('body{background:url(/ran)}'), says: 'text/css' },
    { what: 'content type with a line break', name: 'e.bin', bytes: text('\0'), says: 'text/html\r\nx-ran: 1' },
    { what: '33 kB PNG with 16,383 × 16,383 pixels', name: 'f.png', bytes: decompressionBomb(16_383) },
    { what: 'GIF with 10,000 frames', name: 'g.gif', bytes: manyFrames(10_000) },
    { what: 'truncated image', name: 'h.jpg', bytes: jpeg.subarray(0, 200) },
    { what: '10 MB of zeros compressed to 10 kB', name: 'i.gz', bytes: gzipSync(Buffer.alloc(10_000_000)) },
    { what: '10 MB of zeros, compressed twice', name: 'j.gz', bytes: gzipSync(gzipSync(Buffer.alloc(10_000_000))) },
    { what: 'unknown bytes', name: 'k', bytes: deflateSync(Buffer.alloc(1000)) },
    { what: 'EICAR antivirus test file', name: 'eicar.com', bytes: text(EICAR) },
    { what: 'name with a parent folder', name: '../../x.txt', bytes: text('x') },
    { what: 'Windows path', name: 'C:\\x.txt', bytes: text('x') },
    { what: 'Windows device name', name: 'CON', bytes: text('x') },
    { what: 'name with a right-to-left override', name: 'a\u202Egpj.exe', bytes: text('x') },
    { what: 'name with a line break', name: 'a\r\nx-ran: 1.txt', bytes: text('x') },
    { what: 'name with 300 characters', name: `${'n'.repeat(300)}.txt`, bytes: text('x') },
    { what: 'name with emoji', name: '🦦🎻.txt', bytes: text('x') },
  ]
}

const short = (shown: string): string =>
  shown.length > 60 ? `${shown.slice(0, 40)}… (${shown.length} characters)` : shown
const cell = (shown: string): string => short(JSON.stringify(shown).slice(1, -1)).replaceAll('|', '\\|')

/** Uploads a file, attaches it to a record and reads it; returns a row of the results table. */
async function tried({ what, name, bytes, says = '' }: Hostile): Promise<string> {
  const id = await sender.begin(target, bytes.length, name, says)
  const sent = await sender.patch(id, 0, bytes)
  if (sent.status !== 204)
    return `| ${what} | ${cell(name)} | rejected: ${sent.status} ${(await sent.json()).code} | | | |`
  const made = await owner.post('/api/collections/plans/records', { values: { files: [id] } })
  const record = await owner.get(`/api/collections/plans/records/${made.body.id}?expand=files`)
  const [file] = record.body.values.files
  const answer = await fetch(`${url}/api/files/${id}`, { headers: { authorization: `Bearer ${owner.token}` } })
  const { headers } = answer
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  expect(headers.get('x-ran')).toBeNull()
  const policy = headers.get('content-security-policy') ?? ''
  const isPdf = headers.get('content-type') === 'application/pdf'
  expect(policy).toMatch(
    isPdf ? /default-src 'none'.*frame-ancestors 'self'/ : /default-src 'none'.*frame-ancestors 'none'; sandbox/,
  )
  const disposition = headers.get('content-disposition')?.split(';')[0]
  const frame = isPdf ? 'same origin' : 'blocked'
  return `| ${what} | ${cell(name)} | ${cell(file.name)} | ${file.type} | ${headers.get('content-type')} | ${disposition}; ${frame} |`
}

test('stores hostile files unchanged under safe names and serves them without letting their scripts run', async () => {
  const lines: string[] = []
  for (const hostile of await hostileFiles()) lines.push(await tried(hostile))
  const table = `# Hostile files

Generated by \`tests/http/files/hostile-files.test.ts\`, which fails if the results change. Every file is stored byte for byte and served with
\`nosniff\`, \`Cross-Origin-Resource-Policy: same-origin\` and a content security policy that blocks scripts; archives are never opened.

| file | name | stored as | detected type | served as | disposition; framing |
|---|---|---|---|---|---|
${lines.join('\n')}
`
  await expect(table).toMatchFileSnapshot('../../../docs/hostile-files.md')
})
