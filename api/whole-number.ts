import { z } from 'zod'

/** A whole number in a query, where everything is text. */
export const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number)
