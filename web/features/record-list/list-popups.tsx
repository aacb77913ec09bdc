import { Button, Menu } from '@mantine/core'
import { plural, t } from '#web/i18n/t.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import type { ListEdits } from '#web/shared/cell-editing/list-cells.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { describeAdding, type DroppedFiles } from '#web/shared/uploads/send-dropped-files.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import '#web/ui/feedback/feedback.css'
import type { CellMenu, GridFill, GridPaste } from '#web/ui/grid/editing/grid-editing.ts'
import type { CellBlock } from '#web/ui/grid/selection/cell-range.ts'
import { IconArrowDown, IconPaperclip } from '#web/ui/icons/general.ts'
import { IconArrowUpRight, IconCopy, IconTrash, IconX } from '#web/ui/icons/later.ts'
import { QuickFilterItems } from './quick-filter.tsx'

type CellMenuProps = {
  readonly menu: CellMenu<RecordRow>
  readonly collection: TypedCollection
  readonly cells: ListEdits
  readonly onOpen: (line: RecordRow) => void
  readonly onDelete: (lines: readonly RecordRow[]) => void
  readonly onClose: () => void
}

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

/** The first selected row, and the rows to fill from it. */
function fillDownBlock(block: CellBlock): GridFill {
  const [{ first, end } = { first: 0, end: 0 }] = block.rows
  const from = { ...block, rows: [{ first, end: first + 1 }], rowCount: 1 }
  const to = { ...block, rows: [{ first: first + 1, end }, ...block.rows.slice(1)], rowCount: block.rowCount - 1 }
  return { from, to, direction: 'down', how: 'copy' }
}

export function RecordCellMenu({ menu, collection, cells, onOpen, onDelete, onClose }: CellMenuProps) {
  const { can } = collection
  const { block, row } = menu
  const isOne = block.rowCount === 1
  const withLines = (work: (lines: readonly RecordRow[]) => void) =>
    cells.withGridActions((gridActions) => work(gridActions.loadedLines(block.rows) ?? [row]))
  return (
    <Menu opened onClose={onClose} position="bottom-start" width={270} withinPortal returnFocus={false}>
      <Menu.Target>
        <span className="cell-menu-place" style={{ left: menu.xPx, top: menu.yPx }} aria-hidden />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconArrowUpRight {...icon} />} onClick={() => onOpen(row)}>
          {t('Open record')}
        </Menu.Item>
        {can.includes('records:create') && (
          <Menu.Item
            leftSection={<IconCopy {...icon} />}
            rightSection={isOne && <small>{t('Ctrl+Shift+D')}</small>}
            onClick={() =>
              withLines((lines) => cells.withGridActions((gridActions) => void gridActions.duplicate(lines)))
            }
          >
            {isOne ? t('Duplicate record') : plural(block.rowCount, 'Duplicate {n} record', 'Duplicate {n} records')}
          </Menu.Item>
        )}
        <QuickFilterItems collection={collection} columnId={menu.columnId} row={row} />
        {can.includes('records:update') && (
          <>
            <Menu.Divider />
            {!isOne && (
              <Menu.Item
                leftSection={<IconArrowDown {...icon} />}
                rightSection={<small>{t('Ctrl+D')}</small>}
                onClick={() => cells.withGridActions((gridActions) => gridActions.fill(fillDownBlock(block)))}
              >
                {t('Fill down')}
              </Menu.Item>
            )}
            <Menu.Item
              leftSection={<IconX {...icon} />}
              rightSection={<small>{t('Delete')}</small>}
              onClick={() => cells.withGridActions((gridActions) => gridActions.clear(block))}
            >
              {isOne && block.columnIds.length === 1 ? t('Clear cell') : t('Clear cells')}
            </Menu.Item>
          </>
        )}
        {can.includes('records:delete') && (
          <>
            <Menu.Divider />
            <Menu.Item color="danger" leftSection={<IconTrash {...icon} />} onClick={() => withLines(onDelete)}>
              {isOne ? t('Delete record') : plural(block.rowCount, 'Delete {n} record', 'Delete {n} records')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

type PasteOverflowDialogProps = {
  readonly paste: GridPaste
  readonly onAnswer: (answer: 'make' | 'leave' | 'cancel') => void
}

export function PasteOverflowDialog({ paste, onAnswer }: PasteOverflowDialogProps) {
  const { rowsBeyond, block } = paste
  return (
    <Dialog
      opened
      onClose={() => onAnswer('cancel')}
      title={plural(paste.texts.length, 'Paste {n} row', 'Paste {n} rows')}
      size={440}
    >
      <div className="confirm-form">
        <div className="confirm-text">
          {block.rowCount > 0 && (
            <p>{plural(block.rowCount, '{n} record here will be updated.', '{n} records here will be updated.')}</p>
          )}
          <p>
            {plural(
              rowsBeyond,
              '{n} row goes beyond the end of the list. You can create a new record for it.',
              '{n} rows go beyond the end of the list. You can create new records for them.',
            )}
          </p>
        </div>
        <div className="dialog-actions">
          <Button onClick={() => onAnswer('cancel')}>{t('Cancel')}</Button>
          {block.rowCount > 0 && <Button onClick={() => onAnswer('leave')}>{t('Skip them')}</Button>}
          <Button variant="filled" data-autofocus onClick={() => onAnswer('make')}>
            {plural(rowsBeyond, 'Create {n} new record', 'Create {n} new records')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

export function ChooseFileField({ asking, onClose }: { readonly asking: DroppedFiles; readonly onClose: () => void }) {
  const { files, fields, choose, xPx, yPx } = asking
  return (
    <Menu opened onClose={onClose} position="bottom-start" width={240} withinPortal returnFocus={false} trapFocus>
      <Menu.Target>
        <span className="cell-menu-place" style={{ left: xPx, top: yPx }} aria-hidden />
      </Menu.Target>
      <Menu.Dropdown aria-label={describeAdding(files)}>
        <Menu.Label>{describeAdding(files)}</Menu.Label>
        {fields.map((field) => (
          <Menu.Item
            key={field.id}
            leftSection={<IconPaperclip size={16} stroke={1.5} aria-hidden />}
            onClick={() => choose(field)}
          >
            {field.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
