import type { Field } from '#domain/fields/field.ts'
import { toClientValue } from '#web/shared/fields/client-value.ts'
import { memo, type MouseEvent as ReactMouseEvent } from 'react'
import type { GridColumn } from '#web/ui/grid/columns/grid-column.ts'
import type { CellMenu } from '#web/ui/grid/editing/grid-editing.ts'
import type { ColorMark } from '#web/ui/grid/rows/body-row.tsx'
import type { GridTexts } from '#web/ui/grid/grid-props.ts'
import { IconDots } from '#web/ui/icons/frame.ts'
import { t } from '#web/i18n/t.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import type { GridGroup } from '#web/ui/grid/groups/group-rows.ts'
import { IconChevronRight, IconPhoto } from '#web/ui/icons/general.ts'
import { thumbnailUrl } from '#web/shared/files/download-files.ts'
import type { FileBody } from '#api/records.ts'
import type { CardShape } from './use-card-view.ts'

export type CardPlace = {
  readonly line: number
  readonly topPx: number
  readonly startPx: number
  readonly isActive: boolean
  /** Starting at 1. */
  readonly position: number
  readonly size: number
}

type GroupCardProps = Omit<CardPlace, 'startPx'> & {
  readonly group: GridGroup
  readonly countText: string
  readonly isExpanded: boolean
  readonly onToggle: () => void
}

export function GroupCard({ line, topPx, isActive, position, size, group, ...rest }: GroupCardProps) {
  const { countText, isExpanded, onToggle } = rest
  return (
    <li className="card-group" data-line={line} aria-posinset={position} aria-setsize={size} style={{ top: topPx }}>
      <button
        type="button"
        data-stop
        tabIndex={isActive ? 0 : -1}
        aria-expanded={isExpanded}
        style={{ paddingInlineStart: 14 + group.depth * 16 }}
        onClick={onToggle}
      >
        <IconChevronRight className="card-chevron" size={16} stroke={1.5} aria-hidden />
        <span className="card-group-label">{group.label}</span>
        <span className="card-group-count">{countText}</span>
        <span className="card-group-figures">
          {Object.entries(group.summaries ?? {}).map(
            ([column, summary]) =>
              summary && (
                <span key={column}>
                  {summary.name} {summary.text}
                </span>
              ),
          )}
        </span>
      </button>
    </li>
  )
}

export type CardCommands = {
  readonly select: (line: number, isRange: boolean) => void
  readonly open: (line: number) => void
}

type RecordCardProps = CardPlace & {
  /** Undefined while loading. */
  readonly row: RecordRow | undefined
  readonly title: GridColumn<RecordRow> | undefined
  readonly fields: readonly GridColumn<RecordRow>[]
  readonly shape: CardShape
  readonly cover: Field | undefined
  readonly name: string
  readonly href: string | undefined
  readonly paint: ColorMark | undefined
  readonly isCurrent: boolean
  readonly isSelected: boolean | undefined
  /** Stable, so that an unchanged card doesn't re-render. */
  readonly commands: CardCommands
  readonly onMenu: ((menu: CellMenu<RecordRow>) => void) | undefined
  readonly texts: GridTexts
}

export const RecordCard = memo(function RecordCard(props: RecordCardProps) {
  const { line, topPx, startPx, isActive, position, size, row, shape, isCurrent, isSelected, paint } = props
  const tabIndex = isActive ? 0 : -1
  return (
    <li
      className="card"
      data-line={line}
      data-selected={isSelected || undefined}
      {...(paint && { 'data-hue': paint.hue, 'data-sign': paint.sign, 'aria-description': paint.why })}
      aria-posinset={position}
      aria-setsize={size}
      aria-current={isCurrent || undefined}
      aria-busy={row === undefined || undefined}
      style={{
        top: topPx,
        height: shape.heightPx,
        ...(!shape.isRow && { insetInlineStart: startPx, width: shape.widthPx }),
      }}
    >
      {row === undefined ? <CardSkeleton {...props} /> : <CardContent {...props} row={row} tabIndex={tabIndex} />}
    </li>
  )
})

type ContentProps = RecordCardProps & { readonly row: RecordRow; readonly tabIndex: 0 | -1 }

function CardContent(props: ContentProps) {
  const { line, row, title, fields, cover, shape, name, href, isSelected, commands, onMenu, texts, tabIndex } = props
  const open = (event: ReactMouseEvent) => {
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
    if (!isPlain) return
    event.preventDefault()
    commands.open(line)
  }
  return (
    <>
      {isSelected !== undefined && (
        <label className="card-box">
          <input
            type="checkbox"
            aria-label={texts.selectRow(name)}
            tabIndex={tabIndex}
            checked={isSelected}
            onChange={({ nativeEvent }) =>
              commands.select(line, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
          />
        </label>
      )}
      {cover && <Cover row={row} field={cover} widthPx={shape.coverPx} />}
      <div className="card-body">
        <a className="card-title" href={href} data-stop tabIndex={tabIndex} draggable={false} onClick={open}>
          {title?.renderCell(row) ?? name}
        </a>
        {fields.length > 0 && (
          <dl>
            {fields.map((field) => (
              <div key={field.id} data-fault={field.faultOf?.(row) === undefined ? undefined : true}>
                <dt>{field.header}</dt>
                <dd>{field.renderCell(row)}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      {onMenu && (
        <button
          type="button"
          className="card-menu"
          aria-label={t('More actions for {name}', { name })}
          aria-haspopup="menu"
          tabIndex={tabIndex}
          onClick={({ currentTarget }) => onMenu(menuAt(row, currentTarget))}
        >
          <IconDots size={18} stroke={1.5} aria-hidden />
        </button>
      )}
    </>
  )
}

type CoverProps = { readonly row: RecordRow; readonly field: Field; readonly widthPx: number }

/** The first image in a files field; without one, a placeholder keeps the cards aligned. */
function Cover({ row, field, widthPx }: CoverProps) {
  const files = toClientValue('files', row.record.values[field.name])
  const image = files.find(({ thumbUrl }) => thumbUrl !== null)
  return (
    <div className="card-cover">
      {image ? (
        <img {...imageSources(image)} sizes={`${widthPx}px`} alt="" loading="lazy" decoding="async" draggable={false} />
      ) : (
        <IconPhoto size={24} stroke={1.5} aria-hidden />
      )}
    </div>
  )
}

/** Images of uploads in progress have a single URL. */
function imageSources({ url, thumbUrl, width }: FileBody): { readonly src?: string; readonly srcSet?: string } {
  if (thumbUrl === null) return {}
  if (thumbUrl === url || (width ?? 0) <= SMALL_PX) return { src: thumbUrl }
  return { src: thumbUrl, srcSet: `${thumbUrl} ${SMALL_PX}w, ${thumbnailUrl(url, LARGE_PX)} ${LARGE_PX}w` }
}

/** Width of the thumbnails in lists. */
const SMALL_PX = 240

const LARGE_PX = 640

function menuAt(row: RecordRow, button: HTMLElement): CellMenu<RecordRow> {
  const { left, bottom } = button.getBoundingClientRect()
  const rows = [{ first: row.ordinal, end: row.ordinal + 1 }]
  return { row, columnId: '', block: { rows, rowCount: 1, columnIds: [] }, xPx: left, yPx: bottom }
}

function CardSkeleton({ fields, cover, name, line }: RecordCardProps) {
  return (
    <>
      {cover && <div className="card-cover" />}
      <div className="card-body card-waiting" role="img" aria-label={name}>
        <span className="grid-skeleton" style={{ width: `${40 + ((line * 37) % 40)}%` }} />
        {fields.map(({ id }, at) => (
          <span key={id} className="grid-skeleton" style={{ width: `${25 + ((at * 29) % 40)}%` }} />
        ))}
      </div>
    </>
  )
}
