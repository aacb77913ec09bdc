import { type DetailedError, Upload } from 'tus-js-client'
import { openRetryPresses, type Sender, type Sending, type Sent } from './sender.ts'
import { isPassing, lookAtResponse, signAndSum, signRequest } from './tus-hooks.ts'

/** Number of concurrent files; a tus-js-client upload handles only one file. */
const LANES = 2

const isWorthAnotherTry = ({ originalResponse }: DetailedError): boolean =>
  isPassing(originalResponse?.getStatus() ?? 0)

export const tusOptions = (file: File, { isEager = false, isSummed = false, ...sending }: Sending) => ({
  endpoint: `/api/tus?${sending.target}`,
  chunkSize: sending.chunkBytes,
  retryDelays: [...sending.retryDelaysMs],
  uploadDataDuringCreation: isEager,
  metadata: { filename: file.name, filetype: file.type },
  onBeforeRequest: isSummed ? signAndSum(file, sending.chunkBytes) : signRequest,
  onAfterResponse: lookAtResponse,
  onShouldRetry: isWorthAnotherTry,
})

const sendOne = (file: File, sending: Sending, users: ReturnType<typeof openRetryPresses>): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const upload = new Upload(file, {
      ...tusOptions(file, sending),
      onSuccess: () =>
        resolve({ name: file.name, id: upload.url?.split('/').at(-1) ?? '', byHand: users.of(file.name) }),
      onError: (error) => {
        if ('originalResponse' in error && !isWorthAnotherTry(error)) return reject(error)
        void users.press(file.name).then(() => upload.start())
      },
    })
    upload.start()
  })

/** Uploads with unmodified `tus-js-client`. */
export const sendWithTus: Sender = async (files, sending) => {
  const users = openRetryPresses()
  const waiting = [...files]
  const sent: Sent[] = []
  const lane = async (): Promise<void> => {
    for (let file = waiting.shift(); file; file = waiting.shift()) sent.push(await sendOne(file, sending, users))
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return sent
}
