import { createContext, useContext } from 'react'
import './embed-context.css'
import { IconDownload, IconFile, IconPhoto } from '#web/ui/icons/general.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'

export type DocumentAttrs = { readonly [name: string]: string | number | boolean }

export type DocumentMark = {
  readonly type: 'bold' | 'italic' | 'underline' | 'strike' | 'code' | 'link'
  readonly attrs?: DocumentAttrs
}

export type DocumentNode = {
  readonly type:
    | 'doc'
    | 'paragraph'
    | 'heading'
    | 'bulletList'
    | 'orderedList'
    | 'taskList'
    | 'listItem'
    | 'taskItem'
    | 'blockquote'
    | 'codeBlock'
    | 'horizontalRule'
    | 'table'
    | 'tableRow'
    | 'tableHeader'
    | 'tableCell'
    | 'image'
    | 'file'
    | 'text'
    | 'hardBreak'
    | 'mention'
  readonly attrs?: DocumentAttrs
  readonly content?: readonly DocumentNode[]
  readonly marks?: readonly DocumentMark[]
  readonly text?: string
}

export type RichTextDocument = DocumentNode & { readonly type: 'doc' }

export type EmbeddedFile = {
  readonly name: string
  readonly size: string
  readonly src: string | undefined
  readonly width: number | null
  readonly height: number | null
  readonly downloadHref: string
}

export type MentionIds = {
  readonly kind: 'user' | 'record'
  readonly id: string
  readonly collection?: string
}

/** Resolves the IDs in a document for the current user. Deleted and hidden objects are undefined. */
export type DocumentEmbeds = {
  readonly fileOf: (file: string) => EmbeddedFile | undefined
  readonly nameOf: (mention: MentionIds) => string | undefined
  readonly hrefOf: (mention: MentionIds) => string | undefined
  readonly lookAt: (file: string) => void
}

const NOTHING = (): undefined => undefined

export const EmbedContext = createContext<DocumentEmbeds>({
  fileOf: NOTHING,
  nameOf: NOTHING,
  hrefOf: NOTHING,
  lookAt: NOTHING,
})

/** Image widths that the API allows, as a percentage of the line width. */
export const PICTURE_WIDTHS = [25, 50, 75, 100] as const

export const WHOLE_WIDTH = 100

const UPLOADING_PREFIX = 'upload:'

/** Temporary ID of a file that is still uploading; never stored. */
export const uploadingId = (mark: string): string => `${UPLOADING_PREFIX}${mark}`

export const uploadIdOf = (file: unknown): string | undefined =>
  typeof file === 'string' && file.startsWith(UPLOADING_PREFIX) ? file.slice(UPLOADING_PREFIX.length) : undefined

export const isUploadingId = (file: unknown): boolean => uploadIdOf(file) !== undefined

const TEXTS = UI_TEXTS.inside

type PictureProps = {
  readonly file: string
  readonly alt: string
  readonly width: number
  /** While editing, a click selects the file instead of opening it. */
  readonly isEdited?: boolean
}

export function EmbeddedImage({ file, alt, width, isEdited = false }: PictureProps) {
  const { fileOf, lookAt } = useContext(EmbedContext)
  const known = fileOf(file)
  if (!known) return <Gone words={TEXTS.pictureGone} />
  if (known.src === undefined) return <EmbeddedFileCard file={file} />
  const measures = known.width !== null && known.height !== null ? { width: known.width, height: known.height } : {}
  const picture = <img src={known.src} alt={alt} {...measures} loading="lazy" decoding="async" draggable={false} />
  return (
    <div className="inside-picture" data-width={width}>
      {isEdited ? (
        picture
      ) : (
        <button type="button" onClick={() => lookAt(file)} aria-label={TEXTS.lookAt(alt === '' ? known.name : alt)}>
          {picture}
        </button>
      )}
    </div>
  )
}

export function EmbeddedFileCard({ file }: { readonly file: string }) {
  const { fileOf, lookAt } = useContext(EmbedContext)
  const known = fileOf(file)
  if (!known) return <Gone words={TEXTS.fileGone} />
  const { name, size, downloadHref } = known
  return (
    <div className="inside-file">
      <button type="button" className="inside-file-open" onClick={() => lookAt(file)}>
        <IconFile size={20} stroke={1.5} aria-hidden />
        <span className="inside-file-name">
          <span className="visually-hidden">{TEXTS.lookAt('')} </span>
          {name}
        </span>
        <span className="inside-file-size">{size}</span>
      </button>
      <a
        className="inside-file-download"
        href={downloadHref}
        download={name}
        aria-label={TEXTS.download(name)}
        title={TEXTS.download('')}
      >
        <IconDownload size={16} stroke={1.5} aria-hidden />
      </a>
    </div>
  )
}

function Gone({ words }: { readonly words: string }) {
  return (
    <div className="inside-gone">
      <IconPhoto size={18} stroke={1.5} aria-hidden />
      {words}
    </div>
  )
}

/** A mention with the user's current name, which is hidden from users without access. */
export function EmbeddedMention({ mention, isEdited = false }: { mention: MentionIds; isEdited?: boolean }) {
  const { nameOf, hrefOf } = useContext(EmbedContext)
  const name = nameOf(mention)
  const words = `@${name ?? (mention.kind === 'user' ? TEXTS.somebody : TEXTS.something)}`
  const href = hrefOf(mention)
  const look = {
    className: 'inside-mention',
    'data-kind': mention.kind,
    'data-unnamed': name === undefined || undefined,
  }
  if (href === undefined || isEdited) return <span {...look}>{words}</span>
  return (
    <a {...look} href={href}>
      {words}
    </a>
  )
}

export function mentionIn(attrs: DocumentAttrs | undefined): MentionIds | undefined {
  const { kind, id, collection } = attrs ?? {}
  if (typeof id !== 'string') return undefined
  if (kind === 'user') return { kind, id }
  return kind === 'record' && typeof collection === 'string' ? { kind, id, collection } : undefined
}

export function pictureIn(attrs: DocumentAttrs | undefined): Omit<PictureProps, 'isEdited'> {
  const { file, alt, width } = attrs ?? {}
  return {
    file: typeof file === 'string' ? file : '',
    alt: typeof alt === 'string' ? alt : '',
    width: typeof width === 'number' ? width : WHOLE_WIDTH,
  }
}
