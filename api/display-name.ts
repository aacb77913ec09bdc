import { z } from 'zod'
import { checkDisplayName, MAX_DISPLAY_NAME, normalDisplayName } from '#domain/shared/display-name.ts'

/** A name that people choose and that stands for a person, a role or a token; see `checkDisplayName`. */
export const displayName = z
  .string()
  .min(1)
  // Two letters may become one; what is much too long is not looked at.
  .max(4 * MAX_DISPLAY_NAME)
  .superRefine((given, context) => {
    const checked = checkDisplayName(given)
    if (!checked.ok) context.addIssue({ code: 'custom', message: checked.fault })
  })
  .overwrite(normalDisplayName)
