import { type FocusEvent, type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import type { Permission } from '#domain/access/permission.ts'
import { IconCheck, IconCircleDot } from '#web/ui/icons/general.ts'
import { IconDots } from '#web/ui/icons/frame.ts'
import { MenuFrame } from '#web/ui/popup/popup-frames.tsx'
import { SearchField } from '#web/ui/controls/search-field.tsx'
import { t } from '#web/i18n/t.ts'
import { type CellText, MATRIX_ACTIONS, type MatrixAction } from './matrix.ts'
import '../roles.css'
import { keyInTextDirection } from '#web/ui/shortcuts/shortcuts.tsx'

const STEPS: { readonly [key: string]: (cell: HTMLTableCellElement) => Element | null | undefined } = {
  ArrowRight: (cell) => cell.nextElementSibling,
  ArrowLeft: (cell) => cell.previousElementSibling,
  ArrowDown: (cell) => neighborIn(cell, 'nextElementSibling'),
  ArrowUp: (cell) => neighborIn(cell, 'previousElementSibling'),
  Home: (cell) => cell.parentElement?.querySelector('td'),
  End: (cell) => cell.parentElement?.lastElementChild,
}

/** Finds the neighboring cell, skipping rows without selectable cells. */
function neighborIn(
  cell: HTMLTableCellElement,
  way: 'nextElementSibling' | 'previousElementSibling',
): Element | undefined {
  let row = cell.parentElement?.[way]
  while (row && !row.querySelector('td button')) row = row[way]
  return row?.children[cell.cellIndex]
}

/** Makes the table a single Tab stop with arrow-key navigation. */
function useCellKeys() {
  const [active, setActive] = useState<string>()
  return {
    /** The active cell; undefined before the first focus. */
    active,
    tableProps: {
      onKeyDown: (event: KeyboardEvent<HTMLTableElement>) => {
        const cell = event.target instanceof Element ? event.target.closest<HTMLTableCellElement>('td, th') : null
        const button = cell && STEPS[keyInTextDirection(event.key)]?.(cell)?.querySelector('button')
        if (!button) return
        event.preventDefault()
        button.focus()
      },
      onFocus: ({ target }: FocusEvent<HTMLTableElement>) => {
        const cell = target.getAttribute('data-cell')
        if (cell !== null) setActive(cell)
      },
    },
  }
}

export type MatrixRow = {
  readonly key: string
  /** The row's accessible name. */
  readonly name: string
  readonly head: ReactNode
  readonly note?: string
  readonly cellOf: (permission: Permission) => CellText
  /** Whether the row can't be changed. */
  readonly isFixed?: boolean
}

type AccessMatrixProps = {
  readonly label: string
  readonly corner: string
  readonly lines: readonly MatrixRow[]
  /** `takeFocus` must be called before opening a dialog that later returns focus to the cell. */
  readonly cellMenu: (line: string, permission: Permission, takeFocus: () => void) => ReactNode
  readonly rowMenu: (line: string, takeFocus: () => void) => ReactNode
}

/** Minimum number of rows for showing a search input. */
const SEARCHABLE_FROM = 20

export function AccessMatrix({ lines, ...rest }: AccessMatrixProps) {
  const [looked, setLooked] = useState('')
  const isLong = lines.length >= SEARCHABLE_FROM
  const found = isLong ? lines.filter(({ name }) => name.toLowerCase().includes(looked.trim().toLowerCase())) : lines
  return (
    <>
      {isLong && <SearchField label={t('Search collections and roles')} value={looked} onChange={setLooked} />}
      {found.length === 0 ? (
        <p className="grant-hint">{t('No results.')}</p>
      ) : (
        <Table {...rest} lines={found} isLong={isLong} />
      )}
    </>
  )
}

type TableProps = AccessMatrixProps & {
  /** Whether the table scrolls on its own, so that its headers stay visible. */
  readonly isLong: boolean
}

type OpenMenu = { readonly line: string; readonly permission: Permission | null; readonly element: HTMLElement }

type OnMenu = (menu: OpenMenu) => void

function Table({ label, corner, lines, isLong, cellMenu, rowMenu }: TableProps) {
  const first = lines.find(({ isFixed }) => !isFixed)
  const { active, tableProps } = useCellKeys()
  const [menu, setMenu] = useState<OpenMenu>()
  const isThere = active !== undefined && lines.some(({ key, isFixed }) => !isFixed && active.startsWith(`${key} `))
  const stop = isThere ? active : first && cellKey(first, MATRIX_ACTIONS[0]?.permission)
  const hintId = useId()
  return (
    // Focusable, so that it can be scrolled with the keyboard.
    <div
      className="matrix-scroll"
      data-long={isLong || undefined}
      role="region"
      aria-label={label}
      aria-describedby={hintId}
      tabIndex={0}
    >
      <p id={hintId} className="visually-hidden">
        {t('Use the arrow keys to move between cells.')}
      </p>
      <table className="matrix" {...tableProps}>
        <thead>
          <tr>
            <th scope="col">{corner}</th>
            {MATRIX_ACTIONS.map(({ permission, head }) => (
              <th key={permission} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.key}>
              <RowHead line={line} onMenu={setMenu} />
              {MATRIX_ACTIONS.map((doing) => (
                <td key={doing.permission}>
                  <Cell line={line} doing={doing} onMenu={setMenu} isStop={cellKey(line, doing.permission) === stop} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {menu && (
        <MatrixMenu key={`${menu.line} ${menu.permission}`} menu={menu} onClose={() => setMenu(undefined)}>
          {(takeFocus) =>
            menu.permission === null ? rowMenu(menu.line, takeFocus) : cellMenu(menu.line, menu.permission, takeFocus)
          }
        </MatrixMenu>
      )}
    </div>
  )
}

type MatrixMenuProps = {
  readonly menu: OpenMenu
  readonly onClose: () => void
  readonly children: (takeFocus: () => void) => ReactNode
}

/** One menu shared by all cells, because one per cell would slow down long tables. */
function MatrixMenu({ menu: { element }, onClose, children }: MatrixMenuProps) {
  const [isFocusTaken, setFocusTaken] = useState(false)
  const takeFocus = () => {
    setFocusTaken(true)
    element.focus()
  }
  return (
    <MenuFrame
      anchor={{ id: element.id, element }}
      isOpen
      onOpen={(isOpen) => !isOpen && onClose()}
      position="bottom-start"
      widthPx={280}
      className="matrix-menu"
      givesFocusBack={!isFocusTaken}
    >
      {children(takeFocus)}
    </MenuFrame>
  )
}

function RowHead({ line, onMenu }: { readonly line: MatrixRow; readonly onMenu: OnMenu }) {
  const id = useId()
  return (
    <th scope="row">
      <div className="matrix-row-head">
        <div>
          {line.head}
          {line.note !== undefined && <span className="matrix-note">{line.note}</span>}
        </div>
        {!line.isFixed && (
          <button
            type="button"
            id={id}
            className="matrix-row-menu"
            tabIndex={-1}
            aria-haspopup="menu"
            aria-label={t('Permissions of {name}', { name: line.name })}
            onClick={({ currentTarget }) => onMenu({ line: line.key, permission: null, element: currentTarget })}
          >
            <IconDots size={16} stroke={1.5} aria-hidden />
          </button>
        )}
      </div>
    </th>
  )
}

const cellKey = ({ key }: MatrixRow, permission: Permission | undefined): string => `${key} ${permission}`

type CellProps = {
  readonly line: MatrixRow
  readonly doing: MatrixAction
  /** Whether this cell is the current Tab stop. */
  readonly isStop: boolean
  readonly onMenu: OnMenu
}

function Cell({ line, doing, isStop, onMenu }: CellProps) {
  const id = useId()
  const { coverage, text, isInherited } = line.cellOf(doing.permission)
  const said = (
    <>
      <Mark coverage={coverage} />
      <span>{text}</span>
    </>
  )
  if (line.isFixed) {
    return (
      <span className="matrix-cell" data-reach={coverage}>
        {said}
      </span>
    )
  }
  return (
    <button
      type="button"
      id={id}
      className="matrix-cell"
      tabIndex={isStop ? 0 : -1}
      data-cell={cellKey(line, doing.permission)}
      data-reach={coverage}
      data-inherited={isInherited || undefined}
      aria-label={`${doing.head}, ${line.name}: ${text}`}
      aria-haspopup="menu"
      onClick={({ currentTarget }) => onMenu({ line: line.key, permission: doing.permission, element: currentTarget })}
    >
      {said}
    </button>
  )
}

/** An icon, because coverage must not be conveyed by text or color alone. */
function Mark({ coverage }: Pick<CellText, 'coverage'>) {
  if (coverage === 'none') return null
  const Icon = coverage === 'all' ? IconCheck : IconCircleDot
  return <Icon size={14} stroke={1.75} aria-hidden />
}
