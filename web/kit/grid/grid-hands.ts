import type { ClipboardEvent, DragEvent, MouseEvent } from 'react'
import { dropFiles, holdFiles } from './cell-files.ts'
import { openCellMenu } from './cell-menu.ts'
import { copyCells, pasteCells } from './clipboard-events.ts'
import { pressHeader } from './column-drag.ts'
import { fittingWidth } from './column-fit.ts'
import type { GridReach } from './grid-reach.ts'
import { pressCell } from './range-drag.ts'

/** What a grid can do beyond being looked at and walked through; fetched when it rests, before anybody needs it. */
export type GridHands = {
  readonly press: (event: MouseEvent<HTMLElement>) => void
  readonly copy: (event: ClipboardEvent<HTMLElement>, isCut: boolean) => void
  readonly paste: (event: ClipboardEvent<HTMLElement>) => void
  readonly menu: (event: MouseEvent<HTMLElement>) => void
  readonly holdFiles: (event: DragEvent<HTMLElement>) => void
  readonly dropFiles: (event: DragEvent<HTMLElement>) => void
  readonly fitColumn: (columnId: string) => void
}

/** The hands of a grid. `reachNow` gives what can be seen and done at the moment, for what lasts longer than one event. */
export function gridHands<Row>(reachNow: () => GridReach<Row>): GridHands {
  return {
    press: (event) => pressHeader(reachNow, event) || pressCell(reachNow, event),
    copy: (event, isCut) => copyCells(reachNow(), event, isCut),
    paste: (event) => pasteCells(reachNow(), event),
    menu: (event) => openCellMenu(reachNow(), event),
    holdFiles: (event) => holdFiles(reachNow(), event),
    dropFiles: (event) => dropFiles(reachNow(), event),
    fitColumn: (columnId) => {
      const { gridRef, setWidth, props, texts, say } = reachNow()
      const widthPx = gridRef.current && fittingWidth(gridRef.current, columnId)
      if (widthPx === null) return
      setWidth(columnId, widthPx, true)
      say(texts.columnWidth(props.columns.find((column) => column.id === columnId)?.header ?? '', widthPx))
    },
  }
}
