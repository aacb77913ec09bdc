import { type CSSProperties, type ReactNode, useMemo } from 'react'
import './grid.css'
import './header/header.css'
import './editing/interactions.css'
import { GridBody } from './rows/grid-body.tsx'
import { GridHeader } from './header/grid-header.tsx'
import { Announcer, GridNotices } from './grid-notices.tsx'
import { GRID_TEXTS_EN, type GridProps, spanOf, totalOf } from './grid-props.ts'
import { stateOfAll, useGridActions } from './grid-context.ts'
import { useGridInteractions } from './use-grid-interactions.ts'
import { type GridModel, useGridModel } from './use-grid-model.ts'

/** The grid: displays one page of rows or all rows, and needs a container with a fixed height. */
export function Grid<Row>(props: GridProps<Row>) {
  const { source, grouping } = props
  const model = useGridModel(props)
  const actions = useGridActions(props, model.lines)
  const { cellRange, editing, message, commandsOf, interactions, events } = useGridInteractions(props, model, actions)
  const header = useHeader(props, model, commandsOf)
  const hasRows = model.lines.lineCount > 0

  return (
    // React supports CSS custom properties, but its style type doesn't include them.
    <div
      className="grid-frame"
      data-wrapped={props.isWrapped || undefined}
      data-movable={props.onMoveRow ? true : undefined}
      style={model.style as CSSProperties}
    >
      <div
        ref={model.scrollerRef}
        role={grouping ? 'treegrid' : 'grid'}
        aria-label={props.label}
        aria-rowcount={ariaRowCount(props, model)}
        aria-colcount={model.headerColumns}
        aria-multiselectable
        aria-readonly={!props.columns.some((column) => column.renderEditor) || undefined}
        aria-busy={source.kind === 'page' && source.loadingRows !== undefined}
        data-filling={cellRange.isFilling || undefined}
        className="grid-scroller"
        data-scroll-restoration-id={props.listKey === undefined ? undefined : encodeURIComponent(props.listKey)}
        // Otherwise Firefox would make this element a tab stop.
        tabIndex={-1}
        {...events}
      >
        {header}
        {/* An open editor stays open when the list changes or fails to load. */}
        {((props.failure === undefined && hasRows) || editing.edited) && (
          <GridBody
            grid={props}
            model={model}
            selectedRect={cellRange.shown}
            hasHandle={props.onFill !== undefined && !cellRange.isFilling}
            editing={editing}
            EditorBox={interactions?.EditorBox}
          />
        )}
        {drawFooter(props, model)}
      </div>
      <GridNotices {...props} hasRows={hasRows} />
      <Announcer message={message} />
    </div>
  )
}

/** Memoized, so that scrolling doesn't re-render the header. */
function useHeader<Row>(
  props: GridProps<Row>,
  { placed, drawnColumns, cell, columnCount, paneStartPx }: GridModel<Row>,
  commandsOf: Parameters<typeof GridHeader<Row>>[0]['commandsOf'],
) {
  const { active } = cell
  return useMemo(() => {
    const { texts = GRID_TEXTS_EN, source, areFiltersShown = false } = props
    return (
      <GridHeader
        frozen={placed.frozen}
        center={drawnColumns}
        frozenPx={placed.frozenPx}
        sort={props.sort}
        active={active}
        areFiltersShown={areFiltersShown}
        selected={stateOfAll(props)}
        hasRows={source.kind !== 'page' || source.rows.length > 0}
        selectLabel={source.kind === 'page' ? texts.selectPage : texts.selectEverything}
        renderMenu={props.renderHeaderMenu}
        onRename={props.onRenameColumn}
        lastControl={
          props.renderHeaderEnd && {
            column: columnCount,
            startPx: paneStartPx + placed.centerPx,
            content: props.renderHeaderEnd(-1),
          }
        }
        commandsOf={commandsOf}
        onResize={placed.setWidth}
        texts={texts}
      />
    )
  }, [props, placed, drawnColumns, active, commandsOf, columnCount, paneStartPx])
}

function drawFooter<Row>({ footer, source, grouping }: GridProps<Row>, model: GridModel<Row>): ReactNode {
  const { placed, cell, lines, headerLines, footerLines } = model
  if (!footer || footerLines === 0) return null
  if (!footer.renderLine) return <div className="grid-footer" />
  const line = headerLines + lines.lineCount
  return footer.renderLine({
    line,
    ariaRowIndex: grouping ? line + 1 : headerLines + spanOf(source).end + 1,
    activeColumn: cell.active.line === line ? cell.active.column : undefined,
    frozen: placed.frozen,
    center: model.drawnColumns,
    frozenPx: placed.frozenPx,
    selectPx: model.selectPx,
  })
}

/** Total number of lines, including other pages; -1 if unknown. */
function ariaRowCount<Row>({ source, grouping }: GridProps<Row>, { lines, headerLines, footerLines }: GridModel<Row>) {
  if (grouping || source.kind === 'window') return headerLines + lines.lineCount + footerLines
  const total = totalOf(source)
  return total.is === 'exact' ? headerLines + total.count + footerLines : -1
}
