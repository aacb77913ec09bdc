import { useContext } from 'react'
import { EmbedContext, type MentionIds, WHOLE_WIDTH } from './embed-context.ts'
import type { DocumentAttrs } from './document-node.ts'
import './embed-context.css'
import { IconDownload, IconFile, IconPhoto } from '#web/ui/icons/general.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'

const TEXTS = UI_TEXTS.inside

type PictureProps = {
  readonly file: string
  readonly alt: string
  readonly width: number
  /** While it is edited, pressing it chooses it instead of opening it. */
  readonly isEdited?: boolean
}

/** A picture among words, as wide as was chosen; pressed, it opens. */
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

/** A file among words: its name, its size, and the way to have it. */
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

/** Somebody or something that is spoken of, by the name of this moment; whom one may not see has none. */
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

/** Reads the ids of a mention from what is stored. */
export function mentionIn(attrs: DocumentAttrs | undefined): MentionIds | undefined {
  const { kind, id, collection } = attrs ?? {}
  if (typeof id !== 'string') return undefined
  if (kind === 'user') return { kind, id }
  return kind === 'record' && typeof collection === 'string' ? { kind, id, collection } : undefined
}

/** Reads what is stored of a picture or a file. */
export function pictureIn(attrs: DocumentAttrs | undefined): Omit<PictureProps, 'isEdited'> {
  const { file, alt, width } = attrs ?? {}
  return {
    file: typeof file === 'string' ? file : '',
    alt: typeof alt === 'string' ? alt : '',
    width: typeof width === 'number' ? width : WHOLE_WIDTH,
  }
}
