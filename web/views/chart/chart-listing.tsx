import type { ChartOptions } from '#domain/views/chart.ts'
import type { ListingProps } from '../view-kind.ts'
import { ChartFigure } from './chart-figure.tsx'

/** A chart of all records of the list. */
export const ChartListing = ({ collection, options, listing }: ListingProps<ChartOptions>) => (
  <div className="chart-listing">
    <ChartFigure collection={collection} options={options} listing={listing} name={collection.label} />
  </div>
)
