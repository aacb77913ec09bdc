import * as FilePond from 'filepond'
import { authorization, renew } from './session.ts'
import { openHands, type Sender, type Sending, type Sent } from './sender.ts'
import { isPassing } from './tus-hooks.ts'

/** FilePond hands its error hooks the text of the answer alone. */
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
  // Its types do not know it: otherwise every file takes a second, for show.
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

/** With more files than these at once, FilePond is busy with drawing them alone. */
const PORTION = 50

/** `filepond`, as it is, with its own queue of two files and its own elements on the page. */
export const sendWithFilePond: Sender = async (files, sending) => {
  const sent: Sent[] = []
  for (let from = 0; from < files.length; from += PORTION)
    sent.push(...(await sendPortion(files.slice(from, from + PORTION), sending)))
  return sent
}

const sendPortion: Sender = (files, sending) => {
  const place = document.body.appendChild(document.createElement('div'))
  const pond = FilePond.create(place, pondOptions(sending))
  const users = openHands()
  const sent: Sent[] = []
  const arriving = new Promise<Sent[]>((resolve, reject) => {
    const pressAgain = async (code: number, { id, file }: FilePond.FilePondFile): Promise<void> => {
      if (!isPassing(code)) throw new Error(`${file.name}: ${code}`)
      await users.press(file.name)
      // The answer to HEAD has no body that a hook could read.
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
