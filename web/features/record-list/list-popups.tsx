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
import { IconArrowDown, IconLink, IconPaperclip, IconTrash } from '#web/ui/icons/general.ts'
import { IconArrowRight, IconArrowsDiagonal, IconCopy, IconExternalLink, IconX } from '#web/ui/icons/later.ts'
import { recordPath } from '#web/shared/navigation/app-link.tsx'
import { copyRecordLink } from '#web/shared/navigation/copy-record-link.ts'
import { groupValues } from '#web/shared/cell-editing/operations/duplicate-records.ts'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { MenuItem } from '#web/ui/popup/menu-item.tsx'
import { QuickFilterItems } from './quick-filter.tsx'

type CellMenuProps = {
  readonly menu: CellMenu<RecordRow>
  readonly collection: TypedCollection
  readonly cells: ListEdits
  readonly onOpen: (line: RecordRow) => void
  /** Names of the group fields, separated by commas. */
  readonly group: string | null
  readonly onCreate: (values: { readonly [field: string]: unknown }) => void
  readonly onDelete: (lines: readonly RecordRow[]) => void
  readonly onClose: () => void
}

/** The first selected row, whose values fill the rows below it. */
function fillDownBlock(block: CellBlock): GridFill {
  const [{ first, end } = { first: 0, end: 0 }] = block.rows
  const from = { ...block, rows: [{ first, end: first + 1 }], rowCount: 1 }
  const to = { ...block, rows: [{ first: first + 1, end }, ...block.rows.slice(1)], rowCount: block.rowCount - 1 }
  return { from, to, direction: 'down', how: 'copy' }
}

export function RecordCellMenu(props: CellMenuProps) {
  const { menu, collection, cells, onDelete, onClose } = props
  const { block, row, columnId, xPx, yPx } = menu
  const { can } = collection
  const isOne = block.rowCount === 1
  const withLines = (work: (lines: readonly RecordRow[]) => void) =>
    cells.withGridActions((gridActions) => work(gridActions.loadedLines(block.rows) ?? [row]))
  const duplicate = () =>
    withLines((lines) => cells.withGridActions((gridActions) => void gridActions.duplicate(lines)))
  return (
    <Menu opened onClose={onClose} position="bottom-start" width={270} withinPortal returnFocus={false}>
      <Menu.Target>
        <span className="cell-menu-place" style={{ left: xPx, top: yPx }} aria-hidden />
      </Menu.Target>
      <Menu.Dropdown>
        <OpenItems {...props} />
        {can.includes('records:create') && (
          <MenuItem
            icon={IconCopy}
            label={
              isOne ? t('Duplicate record') : plural(block.rowCount, 'Duplicate {n} record', 'Duplicate {n} records')
            }
            rightSection={isOne && hasCells(menu) && <small>{t('Ctrl+Shift+D')}</small>}
            onClick={duplicate}
          />
        )}
        <CreateInGroup {...props} />
        <ViewCommands commands={menu.commands} />
        {columnId !== undefined && <QuickFilterItems collection={collection} columnId={columnId} row={row} />}
        {columnId !== undefined && can.includes('records:update') && <CellItems block={block} cells={cells} />}
        {can.includes('records:delete') && (
          <>
            <Menu.Divider />
            <MenuItem
              icon={IconTrash}
              label={isOne ? t('Delete record') : plural(block.rowCount, 'Delete {n} record', 'Delete {n} records')}
              color="danger"
              onClick={() => withLines(onDelete)}
            />
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Other views have other keys. */
const hasCells = ({ block }: CellMenu<RecordRow>): boolean => block.rows.length > 0

function OpenItems({ menu, collection, onOpen }: CellMenuProps) {
  const { row } = menu
  const { id } = row.record
  return (
    <>
      <MenuItem
        icon={IconArrowsDiagonal}
        label={t('Open record')}
        rightSection={hasCells(menu) && <small>{t('Space')}</small>}
        onClick={() => onOpen(row)}
      />
      <Menu.Item
        component="a"
        href={recordPath(collection.name, id)}
        target="_blank"
        rel="noopener"
        leftSection={<IconExternalLink size={16} stroke={1.5} aria-hidden />}
      >
        {t('Open in new tab')}
      </Menu.Item>
      <MenuItem icon={IconLink} label={t('Copy link')} onClick={() => copyRecordLink(collection.name, id)} />
    </>
  )
}

/** Only for grouped lists; in others, the position of a new record depends on its values. */
function CreateInGroup({ menu, collection, group, onCreate }: CellMenuProps) {
  const values = group === null ? undefined : groupValues(collection, group.split(','), menu.row.record.values)
  if (!values || !collection.can.includes('records:create')) return null
  return <MenuItem icon={IconPlus} label={t('New record in this group')} onClick={() => onCreate(values)} />
}

function ViewCommands({ commands = [] }: Pick<CellMenu<RecordRow>, 'commands'>) {
  if (commands.length === 0) return null
  return (
    <>
      <Menu.Divider />
      {commands.map(({ label, hint, run }) => (
        <Menu.Item
          key={label}
          leftSection={<IconArrowRight size={16} stroke={1.5} aria-hidden />}
          disabled={run === undefined}
          onClick={run}
        >
          {label}
          {hint !== undefined && <small className="cell-menu-hint">{hint}</small>}
        </Menu.Item>
      ))}
    </>
  )
}

function CellItems({ block, cells }: { readonly block: CellBlock; readonly cells: ListEdits }) {
  const isOneRow = block.rowCount === 1
  return (
    <>
      <Menu.Divider />
      {!isOneRow && (
        <MenuItem
          icon={IconArrowDown}
          label={t('Fill down')}
          rightSection={<small>{t('Ctrl+D')}</small>}
          onClick={() => cells.withGridActions((gridActions) => gridActions.fill(fillDownBlock(block)))}
        />
      )}
      <MenuItem
        icon={IconX}
        label={isOneRow && block.columnIds.length === 1 ? t('Clear cell') : t('Clear cells')}
        rightSection={<small>{t('Delete')}</small>}
        onClick={() => cells.withGridActions((gridActions) => gridActions.clear(block))}
      />
    </>
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
