import { type FieldKindUi, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { FilesCell } from './cell.tsx'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'

export const filesUi: FieldKindUi<'files'> = {
  ...SHORT_VALUE,
  Cell: FilesCell,
  Input: lazyComponent(() => import('./input.tsx'), 'FilesInput'),
  defaultOptions: {},
  OptionsForm: lazyComponent(() => import('./options.tsx'), 'FilesOptionsForm'),
  CellEditor: lazyComponent(() => import('./cell-editor.tsx'), 'FilesCellEditor'),
  columnWidthPx: 140,
  isWide: true,
  canHaveDefault: false,
  canBePreset: false,
}
