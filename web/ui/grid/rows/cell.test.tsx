import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Cell } from './body-row.tsx'
import type { GridColumn, PlacedColumn } from '#web/ui/grid/columns/grid-column.ts'

const column: GridColumn<number> = { id: 'copies', header: 'Copies', renderCell: (copies) => copies }
const edited: GridColumn<number> = {
  ...column,
  renderEditor: () => <input />,
  isEditable: (copies) => copies !== 0,
  faultOf: (copies) => (copies < 0 ? 'At least 0' : undefined),
}

function drawn(
  row: number | undefined,
  of: GridColumn<number>,
  more: Partial<PlacedColumn<number>> = {},
  range?: string,
) {
  const place = { column: of, index: 2, startPx: 0, widthPx: 100, isReadOnly: false, ...more }
  return renderToStaticMarkup(<Cell place={place} gapPx={0} row={row} isActive={false} range={range} />)
}

test('read-only cells have aria-readonly if the grid has editors', () => {
  expect(drawn(1, edited)).not.toContain('aria-readonly')
  expect(drawn(0, edited)).toContain('aria-readonly="true"')
  expect(drawn(1, column, { isReadOnly: true })).toContain('aria-readonly="true"')
  expect(drawn(undefined, edited)).not.toContain('aria-readonly')
})

test('the error of a value is announced', () => {
  expect(drawn(-1, edited)).toContain('aria-invalid="true" aria-description="At least 0" title="At least 0"')
  expect(drawn(1, edited)).not.toContain('aria-invalid')
})

test('cells in a selected range have aria-selected, but a single active cell does not', () => {
  expect(drawn(1, column, {}, 'rt')).toContain('aria-selected="true"')
  expect(drawn(1, column, {}, 'h')).not.toContain('aria-selected')
  expect(drawn(1, column)).not.toContain('aria-selected')
})

test('the fill handle is rendered only in the last selected cell', () => {
  expect(drawn(1, column, {}, 'rbhe')).toContain('data-fill')
  expect(drawn(1, column, {}, 'rb')).not.toContain('data-fill')
})
