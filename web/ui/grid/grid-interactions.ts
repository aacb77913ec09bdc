import { dropFiles, dragFilesOver } from './clipboard/cell-files.ts'
import { openCellMenu } from './editing/cell-menu.ts'
import { runOnCells, startEditing } from './keyboard/cell-commands.ts'
import { copyCells, pasteCells } from './clipboard/clipboard-events.ts'
import { columnCommands } from './columns/column-commands.ts'
import { pressHeader } from './columns/column-drag.ts'
import { fitColumn } from './columns/fit-column.ts'
import { EditorBox } from './editing/editor-box.tsx'
import type { GridInteractions, GridContext } from './grid-context.ts'
import { pressCell } from './selection/range-drag.ts'

/** The hands of a grid. `reachNow` gives what can be seen and done at the moment, for what lasts longer than one event. */
export function gridInteractions<Row>(reachNow: () => GridContext<Row>): GridInteractions<Row> {
  return {
    run: (command, at) => runOnCells(reachNow(), command, at),
    edit: (at, seed) => startEditing(reachNow(), at, seed),
    press: (event) => pressHeader(reachNow, event) || pressCell(reachNow, event),
    copy: (event, isCut) => copyCells(reachNow(), event, isCut),
    paste: (event) => pasteCells(reachNow(), event),
    menu: (event) => openCellMenu(reachNow(), event),
    holdFiles: (event) => dragFilesOver(reachNow(), event),
    dropFiles: (event) => dropFiles(reachNow(), event),
    fitColumn: (columnId) => fitColumn(reachNow(), columnId),
    commandsOf: (props, column) => columnCommands(props, column, reachNow),
    EditorBox,
  }
}
