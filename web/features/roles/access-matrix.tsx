import type { ReactNode } from 'react'
import type { Permission } from '#domain/access/permission.ts'
import { IconCheck } from '#web/kit/icons/icon-check.ts'
import { IconCircleDot } from '#web/kit/icons/icon-circle-dot.ts'
import { type CellWords, type Doing, DOINGS } from './matrix.ts'
import './roles.css'

/** One line of a matrix: a collection, or a role. */
export type MatrixLine = {
  readonly key: string
  /** What it is called where it is read aloud. */
  readonly name: string
  readonly head: ReactNode
  /** A quieter word below. */
  readonly note?: string
  readonly cellOf: (permission: Permission) => CellWords
  /** Nothing in it can be changed. */
  readonly isFixed?: boolean
}

type AccessMatrixProps = {
  readonly label: string
  /** What stands in the lines. */
  readonly corner: string
  readonly lines: readonly MatrixLine[]
  readonly onOpen: (line: string, permission: Permission) => void
}

/** Who may do what, as a whole: each cell says none, all or which, and opens what decides it. */
export function AccessMatrix({ label, corner, lines, onOpen }: AccessMatrixProps) {
  return (
    // A table as wide as this one is moved by itself; the keyboard must reach it to do so.
    <div className="matrix-scroll" role="region" aria-label={label} tabIndex={0}>
      <table className="matrix">
        <thead>
          <tr>
            <th scope="col">{corner}</th>
            {DOINGS.map(({ permission, head }) => (
              <th key={permission} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.key}>
              <th scope="row">
                {line.head}
                {line.note !== undefined && <span className="matrix-note">{line.note}</span>}
              </th>
              {DOINGS.map((doing) => (
                <td key={doing.permission}>
                  <Cell line={line} doing={doing} onOpen={onOpen} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type CellProps = { readonly line: MatrixLine; readonly doing: Doing } & Pick<AccessMatrixProps, 'onOpen'>

function Cell({ line, doing, onOpen }: CellProps) {
  const { reach, text, isInherited } = line.cellOf(doing.permission)
  const said = (
    <>
      <Mark reach={reach} />
      <span>{text}</span>
    </>
  )
  if (line.isFixed) {
    return (
      <span className="matrix-cell" data-reach={reach}>
        {said}
      </span>
    )
  }
  return (
    <button
      type="button"
      className="matrix-cell"
      data-reach={reach}
      data-inherited={isInherited || undefined}
      aria-label={`${doing.head}, ${line.name}: ${text}`}
      onClick={() => onOpen(line.key, doing.permission)}
    >
      {said}
    </button>
  )
}

/** Never the words alone, and never the colour alone. */
function Mark({ reach }: Pick<CellWords, 'reach'>) {
  if (reach === 'none') return null
  const Icon = reach === 'all' ? IconCheck : IconCircleDot
  return <Icon size={14} stroke={1.75} aria-hidden />
}
