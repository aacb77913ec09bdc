import { asProgram, type Person } from '#tests/support/browser/session-page.ts'
import { tusSender } from './tus-sender.ts'

export type SampleFile = { readonly name: string; readonly bytes: Uint8Array; readonly type?: string }

/** Signs in as an API client that creates records with files. */
export async function fileProgram(url: string, person: Person) {
  const program = await asProgram(url, person)
  const login = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: person.email, password: person.password, client: 'api' }),
  })
  // The tests assert the response format.
  const { token } = (await login.json()) as { readonly token: string }
  const sender = tusSender(url, { token })
  return {
    ...program,
    token,
    /** Creates a collection with a title and a files field. */
    makeCollection: (label: string) =>
      program.ask('POST', '/api/collections', {
        label,
        name: label.toLowerCase(),
        fields: [
          { label: 'Title', kind: 'text' },
          { label: 'Files', kind: 'files' },
        ],
      }),
    /** Creates a record with these files; returns its ID and the file IDs. */
    makeRecord: async (collection: string, title: string, files: readonly SampleFile[]) => {
      const ids: string[] = []
      for (const { name, bytes, type = '' } of files) {
        ids.push(await sender.send({ collection, field: 'files' }, bytes, name, type))
      }
      const made = await program.ask('POST', `/api/collections/${collection}/records`, {
        values: { title, files: ids },
      })
      return { id: String(made['id']), files: ids }
    },
  }
}

/** A WAV file with a 220 Hz tone. */
export function aSound(seconds: number): Buffer {
  const rate = 8000
  const samples = Buffer.alloc(seconds * rate * 2)
  for (let at = 0; at < samples.length / 2; at += 1) {
    samples.writeInt16LE(Math.round(6000 * Math.sin((2 * Math.PI * 220 * at) / rate)), at * 2)
  }
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}

/** A PDF with one line of text. */
export function aPdf(line: string): Buffer {
  const content = `BT /F1 24 Tf 72 720 Td (${line}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const start = text.length
  const lines = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines}`
  return Buffer.from(`${text}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`)
}
