import Uppy from '@uppy/core'
import Tus from '@uppy/tus'
import { openRetryPresses, type Sender, type Sent } from './sender.ts'
import { isPassing, lookAtResponse, signRequest } from './tus-hooks.ts'

/** Number of concurrent files. */
const LANES = 2

/** Uploads with unmodified `@uppy/core` and `@uppy/tus`. */
export const sendWithUppy: Sender = (files, { target, chunkBytes, retryDelaysMs, isEager = false }) => {
  const uppy = new Uppy({ autoProceed: false, allowMultipleUploadBatches: true }).use(Tus, {
    endpoint: `/api/tus?${target}`,
    limit: LANES,
    chunkSize: chunkBytes,
    retryDelays: [...retryDelaysMs],
    uploadDataDuringCreation: isEager,
    allowedMetaFields: ['name', 'type'],
    onBeforeRequest: signRequest,
    onAfterResponse: lookAtResponse,
    onShouldRetry: (error, _tries, _options, checker) => error.originalResponse?.getStatus() === 401 || checker(error),
  })
  const users = openRetryPresses()
  const sent: Sent[] = []
  return new Promise((resolve, reject) => {
    uppy.on('upload-error', (file, error, response) => {
      if (file === undefined) return reject(error)
      if (!isPassing(response?.status ?? 0)) return reject(error)
      // The promise is ignored, because the events report the same result.
      void users.press(file.name).then(() => uppy.retryUpload(file.id).catch(() => undefined))
    })
    uppy.on('upload-success', (file, { uploadURL }) => {
      const name = file?.name ?? ''
      sent.push({ name, id: uploadURL?.split('/').at(-1) ?? '', byHand: users.of(name) })
      if (sent.length === files.length) resolve(sent)
    })
    uppy.addFiles(files.map((file) => ({ name: file.name, type: file.type, data: file })))
    uppy.upload().catch(() => undefined)
  })
}
