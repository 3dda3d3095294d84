const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Labels of hours like `2026-08-01T09`, as short as tells them apart: without the day where all are of one, without
 * the year where all are of one (resolved-platform 8.3).
 */
export function hourLabels(hours: readonly string[]): string[] {
  const isOne = (length: number): boolean => new Set(hours.map((hour) => hour.slice(0, length))).size <= 1;
  const [ofOneDay, ofOneYear] = [isOne(10), isOne(4)];
  return hours.map((hour) => {
    const [year, month, day, time] = hour.split(/[-T]/) as [string, string, string, string];
    if (ofOneDay) return `${time}:00`;
    return `${months[Number(month) - 1]} ${day} ${ofOneYear ? '' : `${year} `}${time}:00`;
  });
}
