import * as FilePond from 'filepond'
import { authorization, renew } from './session.ts'
import { openRetryPresses, type Sender, type Sending, type Sent } from './sender.ts'
import { isPassing } from './tus-hooks.ts'

/** FilePond passes only the response text to its error hooks. */
function renewIfExpired(text: string): string {
  if (text.includes('"token-')) void renew()
  return text
}

export const pondOptions = ({
  target,
  chunkBytes,
  retryDelaysMs,
  isEager = false,
}: Sending): FilePond.FilePondOptions => ({
  // Missing from FilePond's types; the default delays every file by a second.
  ...({ allowMinimumUploadDuration: false } as object),
  allowMultiple: true,
  chunkUploads: true,
  chunkForce: isEager,
  chunkSize: chunkBytes,
  chunkRetryDelays: [...retryDelaysMs],
  credits: false,
  server: {
    url: '/api/uploads',
    headers: {
      get authorization() {
        return authorization()
      },
    },
    process: { url: `?${target}`, onerror: renewIfExpired },
    patch: { url: '?patch=', onerror: renewIfExpired },
    fetch: null,
  },
})

/** With more files at a time, FilePond spends most of its time rendering them. */
const BATCH_SIZE = 50

/** Uploads with unmodified `filepond`, including its own queue (two concurrent files) and DOM elements. */
export const sendWithFilePond: Sender = async (files, sending) => {
  const sent: Sent[] = []
  for (let from = 0; from < files.length; from += BATCH_SIZE)
    sent.push(...(await sendPortion(files.slice(from, from + BATCH_SIZE), sending)))
  return sent
}

const sendPortion: Sender = (files, sending) => {
  const place = document.body.appendChild(document.createElement('div'))
  const pond = FilePond.create(place, pondOptions(sending))
  const users = openRetryPresses()
  const sent: Sent[] = []
  const arriving = new Promise<Sent[]>((resolve, reject) => {
    const pressAgain = async (code: number, { id, file }: FilePond.FilePondFile): Promise<void> => {
      if (!isPassing(code)) throw new Error(`${file.name}: ${code}`)
      await users.press(file.name)
      // A HEAD response has no body, so the error hook isn't called and the token is refreshed here.
      if (code === 401) await renew()
      pond.processFile(id).catch(() => undefined)
    }
    pond.on('processfile', (error: { readonly code: number } | null, item: FilePond.FilePondFile) => {
      if (error !== null) return void pressAgain(error.code, item).catch(reject)
      const { name } = item.file
      sent.push({ name, id: item.serverId, byHand: users.of(name) })
      if (sent.length === files.length) resolve(sent)
    })
    pond.addFiles([...files]).catch(reject)
  })
  return arriving.finally(() => pond.destroy())
}
