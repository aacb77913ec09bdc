import * as FilePond from 'filepond'
import { Upload, type UploadOptions } from 'tus-js-client'
import { generatedBytes } from '#tests/conformance/upload/generated-bytes.ts'
import { pondOptions, sendWithFilePond } from './send-with-filepond.ts'
import { sendWithTus, tusOptions } from './send-with-tus.ts'
import { sendWithUppy } from './send-with-uppy.ts'
import type { Sender, Sending, Sent } from './sender.ts'
import { authorization, renew, signIn } from './session.ts'

/** A file generated in the browser. */
export type MadeFile = { readonly name: string; readonly type?: string; readonly bytes: number; readonly seed: number }

/** Upload functions by package name of the client. */
const SENDERS = {
  filepond: sendWithFilePond,
  'tus-js-client': sendWithTus,
  '@uppy/tus': sendWithUppy,
} as const satisfies {
  readonly [client: string]: Sender
}

export type ClientName = keyof typeof SENDERS

const make = ({ name, type = 'application/octet-stream', bytes, seed }: MadeFile): File =>
  new File([generatedBytes(seed, 0, bytes)], name, { type })

const chosenFiles = (): File[] => [...(document.querySelector<HTMLInputElement>('#chosen')?.files ?? [])]

const inHex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')

let pond: FilePond.FilePond | undefined

const tryUploads = {
  signIn,
  /** Refreshes the access token, like a page after a reload. */
  comeBack: renew,
  make,
  chosenFiles,
  sha256: async (file: Blob): Promise<string> => inHex(await crypto.subtle.digest('SHA-256', await file.arrayBuffer())),
  openPond: (sending: Sending): FilePond.FilePond => {
    pond = FilePond.create(document.body.appendChild(document.createElement('div')), pondOptions(sending))
    return pond
  },
  /** The server ID of the last file added to the last opened FilePond instance. */
  lastServerId: (): string => pond?.getFiles().at(-1)?.serverId ?? '',
  /** A tus-js-client upload that hasn't started yet. */
  openTus: (file: File, sending: Sending, on: Pick<UploadOptions, 'onSuccess' | 'onError' | 'onChunkComplete'>) =>
    new Upload(file, { ...tusOptions(file, sending), ...on }),
  /** The response status for a tus upload URL. */
  statusOf: async (method: string, url: string): Promise<number> =>
    (await fetch(url, { method, headers: { authorization: authorization(), 'tus-resumable': '1.0.0' } })).status,
  /** Uploads the files selected in the file input. */
  sendChosen: (client: ClientName, sending: Sending): Promise<Sent[]> => SENDERS[client](chosenFiles(), sending),
  /** Uploads generated files. */
  sendMade: (client: ClientName, made: readonly MadeFile[], sending: Sending): Promise<Sent[]> =>
    SENDERS[client](made.map(make), sending),
}

/** Functions that the page exposes to tests. */
export type TryUploads = typeof tryUploads

Object.assign(globalThis, { tryUploads })
