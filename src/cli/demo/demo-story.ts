// What happened to the demo's retailer in the last weeks, told from today backwards, so that whoever looks finds it:
// - eight weeks ago the survey of the website got its third version, which weighs navigation otherwise and asks one question
//   more about speed;
// - two weeks ago, from Monday to Sunday, a release made the site slow;
// - over the last four weeks ever more people write about orders and deliveries, since parcels come by another carrier.

const weekDays = 7;

export interface Story {
  /** First day of the third version of the website's survey. */
  readonly versionDay: number;
  /** Monday and Sunday of the slow week. */
  readonly badWeek: { readonly from: number; readonly to: number };
  /** First day of the new carrier. */
  readonly carrierDay: number;
}

/** Days are numbers (dates.ts). The weeks are those of the calendar, so that a trend by weeks has each in one point. */
export function storyOf(today: number): Story {
  // The first of January 1970 was a Thursday.
  const monday = today - ((((today + 3) % weekDays) + weekDays) % weekDays);
  return {
    // Eight weeks, so that four weeks and the four before them are both of one version.
    versionDay: monday - 8 * weekDays,
    badWeek: { from: monday - 2 * weekDays, to: monday - weekDays - 1 },
    carrierDay: monday - 4 * weekDays,
  };
}
