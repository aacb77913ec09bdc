import type { GridGroup } from '#web/ui/grid/groups/group-rows.ts'
import { IconChevronRight } from '#web/ui/icons/general.ts'

/** Where an item of a list of cards is. */
export type CardPlace = {
  readonly line: number
  readonly topPx: number
  /** The keyboard comes to it. */
  readonly isActive: boolean
  /** Counted from 1. */
  readonly position: number
  readonly size: number
}

type GroupCardProps = CardPlace & {
  readonly group: GridGroup
  readonly countText: string
  readonly isExpanded: boolean
  readonly onToggle: () => void
}

/** The head of a group above its cards. */
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
          {Object.entries(group.figures ?? {}).map(
            ([column, figure]) =>
              figure && (
                <span key={column}>
                  {figure.name} {figure.text}
                </span>
              ),
          )}
        </span>
      </button>
    </li>
  )
}
