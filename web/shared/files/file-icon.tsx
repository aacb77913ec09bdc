import type { Preview } from '#domain/assets/preview.ts'
import { IconFileText } from '#web/ui/icons/start.ts'
import { IconFile, IconFileZip, IconMusic, IconPhoto, IconVideo } from '#web/ui/icons/general.ts'

type FileIconProps = { readonly preview: Preview; readonly type: string; readonly size: number }

const ICONS = {
  picture: IconPhoto,
  pdf: IconFileText,
  audio: IconMusic,
  video: IconVideo,
  text: IconFileText,
  none: IconFile,
} as const satisfies { readonly [preview in Preview]: unknown }

const ARCHIVE = /zip|compressed|x-tar|x-rar/

export function FileIcon({ preview, type, size }: FileIconProps) {
  const Icon = preview === 'none' && ARCHIVE.test(type) ? IconFileZip : ICONS[preview]
  return <Icon size={size} stroke={size > 24 ? 1.25 : 1.5} aria-hidden />
}
