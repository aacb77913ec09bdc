import type { GridProps } from './grid-props.ts'
import { GRID_TEXTS_EN } from './grid-texts.ts'

/** What the grid says in place of rows, or about rows that are missing. */
export function GridNotices<Row>(props: GridProps<Row> & { readonly hasRows: boolean }) {
  const { source, failure, empty, hasRows, texts = GRID_TEXTS_EN } = props
  const isLoading = source.kind === 'page' && source.loadingRows !== undefined
  const retry = source.kind === 'window' ? source.failure?.retry : undefined
  return (
    <>
      {isLoading && <div className="grid-progress" aria-hidden />}
      {(failure !== undefined || !hasRows) && <div className="grid-message">{failure ?? empty}</div>}
      {retry && (
        <div role="alert" className="grid-failure">
          {texts.rowsFailed}
          <button type="button" className="grid-text-button" onClick={retry}>
            {texts.tryAgain}
          </button>
        </div>
      )}
    </>
  )
}
